import type { Svc } from './svc.ts';
import { createVisitor, type Visitor } from './visitor.ts';

/** The used part of an Express request. */
export interface ExpressRequest {
  get(name: string): string | undefined;
}

/** The used part of an Express response. */
export interface ExpressResponse {
  append(name: string, value: string): unknown;
}

/**
 * Creates the visitor of an Express request. Cookies are added to the response.
 *
 * @example
 * import express from 'express';
 * import { createSvc } from '@maru/sdk';
 * import { visitorOf } from '@maru/sdk/express';
 *
 * const svc = createSvc({ membersUrl, apiKey });
 * const app = express();
 * app.get('/', async (request, response) => {
 *   const { authenticated } = await visitorOf(svc, request, response).me();
 *   response.send(authenticated ? 'Hello again' : 'Hello');
 * });
 */
export function visitorOf(svc: Svc, request: ExpressRequest, response: ExpressResponse): Visitor {
  return createVisitor(svc, {
    header: (name) => request.get(name),
    addCookie: (setCookie) => void response.append('Set-Cookie', setCookie),
  });
}
