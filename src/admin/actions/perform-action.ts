import { adminContract } from '../../contract/admin.ts';
import { isSvcUid } from '../../members/identifiers.ts';
import { originOf, type AdminRouteName } from '../api/call.ts';
import { logAccess } from '../operators/access-log.ts';
import { requireRole } from '../session.ts';
import type { Action } from './action.ts';

/**
 * Carries out an action for an operator who has the role that the action requires, else 403 `insufficient_role`. The
 * action is logged first: if the store cannot log it, it is not carried out.
 */
export async function performAction(
  name: AdminRouteName,
  action: Action,
  call: Parameters<Action['run']>[0],
): ReturnType<Action['run']> {
  requireRole(call.operator, adminContract[name].role);
  await logAccess(call.context, originOf(call), name, membersOf(call));
  return action.run(call);
}

/** `svc_uid`s in the parameters and the body. */
function membersOf({
  parameters,
  body,
}: {
  readonly parameters: object;
  readonly body: object;
}): string[] {
  return [...Object.values(parameters), ...Object.values(body)].filter(isSvcUid);
}
