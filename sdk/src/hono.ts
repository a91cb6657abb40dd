import type { Svc } from './svc.ts';
import { createVisitor, type Visitor } from './visitor.ts';

/** The used part of a Hono context. */
export interface HonoContext {
  readonly req: { header(name: string): string | undefined };
  header(name: string, value: string, options: { append: boolean }): void;
}

/**
 * Creates the visitor of a Hono request. Cookies are added to the response.
 *
 * @example
 * import { Hono } from 'hono';
 * import { createSvc } from '@maru/sdk';
 * import { visitorOf } from '@maru/sdk/hono';
 *
 * const svc = createSvc({ membersUrl, apiKey });
 * const app = new Hono();
 * app.get('/', async (context) => {
 *   const { authenticated } = await visitorOf(svc, context).me();
 *   return context.text(authenticated ? 'Hello again' : 'Hello');
 * });
 */
export function visitorOf(svc: Svc, context: HonoContext): Visitor {
  return createVisitor(svc, {
    header: (name) => context.req.header(name),
    addCookie: (setCookie) => context.header('Set-Cookie', setCookie, { append: true }),
  });
}
