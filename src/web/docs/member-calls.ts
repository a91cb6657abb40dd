import type { GuardedRoute } from '../../contract/route.ts';
import { membersContract } from '../../contract/members.ts';

/** A call of the members service. Its texts name `$SVC_UID` and `$TOKEN` where the caller fills in its own. */
export interface MemberCall {
  readonly method: GuardedRoute['method'];
  readonly address: string;
  /** Servers send an API key, pages a cookie. */
  readonly caller: 'server' | 'page';
  readonly body: object | null;
}

/** The smallest useful call of an operation. A test runs every one. */
export function memberCall(name: MemberOperation): MemberCall {
  const { method, path, callers }: GuardedRoute = membersContract[name];
  const filled = path
    .replace('{svc_uid}', '$SVC_UID')
    .replace('{platform}', 'demo')
    .replace('{code}', 'archive')
    .replace('{purpose}', 'marketing');
  const caller = callers[0] === 'server' ? 'server' : 'page';
  return { method, address: membersAddress + filled, caller, body: bodies[name] };
}

export type MemberOperation = keyof typeof membersContract;

/** Address of the members service in documents, which the site replaces by its own. */
export const membersAddress = 'http://localhost:3000';

const user = { email: 'asha@example.com', platform: 'demo', local_user_id: 'u-1' };

/** The smallest useful body of each operation that takes one. */
const bodies: Readonly<Record<MemberOperation, object | null>> = {
  register: user,
  registerBatch: {
    registrations: [user, { ...user, email: 'bora@example.com', local_user_id: 'u-2' }],
  },
  reconcile: { hashes: ['b4c9a289323b21a01c3e940f150eb9b8c542587f1abfd8f0e1cc1ffc5e475514'] },
  changeMembership: { email: 'asha.new@example.com', expected_email: 'asha@example.com' },
  endMembership: { expected_local_user_id: 'u-1' },
  leave: { local_user_id: 'u-1' },
  exportMember: null,
  eraseMember: null,
  event: { svc_uid: '$SVC_UID', platform: 'demo', event: 'visit' },
  eventBatch: {
    events: [{ svc_uid: '$SVC_UID', platform: 'demo', event: 'purchase', event_id: 'o-1' }],
  },
  cardIssued: { svc_uid: '$SVC_UID', platform: 'demo', event_id: 'card-1' },
  issue: user,
  verify: { token: '$TOKEN' },
  revoke: { svc_uid: '$SVC_UID', scope: 'all', reason: 'requested by the member' },
  lookup: { local_user_id: 'u-1' },
  member: null,
  entitlements: null,
  grantEntitlement: { until: '2027-12-31T00:00:00+09:00' },
  revokeEntitlement: null,
  consents: null,
  giveConsent: { version: '2026-12' },
  withdrawConsent: {},
  crossPlatform: null,
  northStar: null,
  me: null,
  logout: { scope: 'one' },
};
