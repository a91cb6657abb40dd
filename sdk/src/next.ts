import { visitorOf } from './response.ts';
import type { Svc } from './svc.ts';
import type { Visitor } from './visitor.ts';

/**
 * Makes a Next route handler of one that is given the visitor too; the cookies go onto its answer.
 *
 * @example
 * import { createSvc } from '@maru/sdk';
 * import { withVisitor } from '@maru/sdk/next';
 *
 * const svc = createSvc({ membersUrl, apiKey });
 * export const GET = withVisitor(svc, async (request, visitor) => {
 *   const { authenticated } = await visitor.me();
 *   return new Response(authenticated ? 'Hello again' : 'Hello');
 * });
 */
export function withVisitor<Asked extends Request, Context>(
  svc: Svc,
  handler: (request: Asked, visitor: Visitor, context: Context) => Response | Promise<Response>,
): (request: Asked, context: Context) => Promise<Response> {
  return async (request, context) => {
    const visitor = visitorOf(svc, request);
    return visitor.relay(await handler(request, visitor, context));
  };
}
