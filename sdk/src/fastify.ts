import type { Svc } from './svc.ts';
import { createVisitor, type Visitor } from './visitor.ts';

/** The used part of a Fastify request. */
export interface FastifyRequest {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** The used part of a Fastify reply. */
export interface FastifyReply {
  /** Adds a header for `set-cookie`, and sets any other. */
  header(name: string, value: string): unknown;
}

/**
 * Creates the visitor of a Fastify request. Cookies are added to the reply.
 *
 * @example
 * import { fastify } from 'fastify';
 * import { createSvc } from '@maru/sdk';
 * import { visitorOf } from '@maru/sdk/fastify';
 *
 * const svc = createSvc({ membersUrl, apiKey });
 * const app = fastify();
 * app.get('/', async (request, reply) => {
 *   const { authenticated } = await visitorOf(svc, request, reply).me();
 *   return authenticated ? 'Hello again' : 'Hello';
 * });
 */
export function visitorOf(svc: Svc, request: FastifyRequest, reply: FastifyReply): Visitor {
  return createVisitor(svc, {
    header: (name) => request.headers[name]?.toString(),
    addCookie: (setCookie) => void reply.header('set-cookie', setCookie),
  });
}
