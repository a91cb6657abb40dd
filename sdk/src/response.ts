import type { Svc } from './svc.ts';
import { createVisitor, type Visitor } from './visitor.ts';

/** A visitor that collects its cookies for the response. */
export interface RelayingVisitor extends Visitor {
  /** Returns a copy of the response with the cookies added. */
  relay(response: Response): Response;
}

/**
 * Creates the visitor of a standard `Request`. Its `relay` adds the cookies to a standard `Response`.
 *
 * @example
 * import { createSvc } from '@maru/sdk';
 * import { visitorOf } from '@maru/sdk/response';
 *
 * const svc = createSvc({ membersUrl, apiKey });
 * async function answer(request: Request): Promise<Response> {
 *   const visitor = visitorOf(svc, request);
 *   const { authenticated } = await visitor.me();
 *   return visitor.relay(new Response(authenticated ? 'Hello again' : 'Hello'));
 * }
 */
export function visitorOf(svc: Svc, request: Request): RelayingVisitor {
  const cookies: string[] = [];
  const visitor = createVisitor(svc, {
    header: (name) => request.headers.get(name),
    addCookie: (setCookie) => void cookies.push(setCookie),
  });
  const relay = (response: Response): Response => {
    // The headers of a redirect cannot be changed; those of a copy can.
    const copy = new Response(response.body, response);
    for (const setCookie of cookies) copy.headers.append('Set-Cookie', setCookie);
    return copy;
  };
  return { ...visitor, relay };
}
