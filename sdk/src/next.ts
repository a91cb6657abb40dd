import { visitorOf } from './response.ts';
import type { Svc } from './svc.ts';
import type { Visitor } from './visitor.ts';

/**
 * Makes a Next route handler of a handler that also takes the visitor. Cookies are added to the response.
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
export function withVisitor<NextRequest extends Request, Context>(
  svc: Svc,
  handler: (
    request: NextRequest,
    visitor: Visitor,
    context: Context,
  ) => Response | Promise<Response>,
): (request: NextRequest, context: Context) => Promise<Response> {
  return async (request, context) => {
    const visitor = visitorOf(svc, request);
    return visitor.relay(await handler(request, visitor, context));
  };
}
