import type { Context, Hono } from 'hono';
import { nearest } from '../nearest.ts';
import { Problem } from '../problem.ts';
import { Exchange, type Connection } from './exchange.ts';
import { note, type Front } from './front.ts';
import { problemResponse } from './problem-response.ts';
import { openToAll } from './respond.ts';

export type App = Hono<{ Bindings: Connection }>;

/** Answers GET and HEAD on a path, OPTIONS for it, and refuses everything else in the one shape of error. */
export function route(
  app: App,
  front: Front,
  path: string,
  answer: (exchange: Exchange) => Response | Promise<Response>,
): void {
  app.all(routerPath(path), (context: Context<{ Bindings: Connection }>) => {
    const exchange = new Exchange(context, path);
    if (exchange.method === 'OPTIONS') return options(front, exchange);
    try {
      if (exchange.method !== 'GET' && exchange.method !== 'HEAD') throw notAllowed();
      const response = answer(exchange);
      return response instanceof Promise
        ? response.catch((error: unknown) => problemResponse(front, exchange, error))
        : response;
    } catch (error) {
      return problemResponse(front, exchange, error);
    }
  });
}

/** Says 404 for every other path, with the path that may have been meant. */
export function refuseOtherPaths(app: App, front: Front): void {
  app.notFound((context) => {
    const exchange = new Exchange(context, 'other');
    if (exchange.method === 'OPTIONS') return options(front, exchange);
    const paths = new Set(app.routes.map(({ path }) => path.replace(/:(\w+)/g, '{$1}')));
    return problemResponse(front, exchange, notFound(nearest(exchange.path, paths)));
  });
}

/** The methods of every address. */
export const allowedMethods = 'GET, HEAD, OPTIONS';

/** A path of a contract as Hono writes it. */
export function routerPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

function options(front: Front, exchange: Exchange): Response {
  note(front, exchange, 204, 0);
  return new Response(null, {
    status: 204,
    headers: {
      Allow: allowedMethods,
      ...openToAll,
      'Access-Control-Allow-Methods': allowedMethods,
      'Access-Control-Allow-Headers':
        'Accept, Accept-Language, If-None-Match, Prefer, X-Request-Id',
      'Access-Control-Max-Age': '86400',
      'X-Request-Id': exchange.requestId,
    },
  });
}

function notAllowed(): Problem {
  const detail = {
    ko: `이 주소는 ${allowedMethods}만 받습니다.`,
    en: `This address takes ${allowedMethods} only.`,
  };
  return new Problem('method_not_allowed', detail, { headers: { Allow: allowedMethods } });
}

function notFound(meant: string | null): Problem {
  const hint =
    meant === null
      ? { ko: '주소 목록은 /docs에 있습니다.', en: 'All addresses are listed at /docs.' }
      : { ko: `${meant}을(를) 찾으셨나요?`, en: `Did you mean ${meant}?` };
  return new Problem(
    'not_found',
    { ko: `없는 주소입니다. ${hint.ko}`, en: `There is nothing here. ${hint.en}` },
    meant === null ? {} : { extra: { suggestions: [meant] } },
  );
}
