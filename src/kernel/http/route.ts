import type { Hono } from 'hono';
import { nearest } from '../nearest.ts';
import { Problem } from '../problem.ts';
import { direct } from './direct.ts';
import { RequestContext, type Connection } from './request-context.ts';
import { note, type ServerContext } from './server-context.ts';
import { problemReply } from './problem-reply.ts';
import { asResponse, type Reply } from './reply.ts';
import { openToAll } from './respond.ts';

export type App = Hono<{ Bindings: Connection }>;

/** Answers GET and HEAD on a path, OPTIONS for it, and refuses everything else in the one shape of error. */
export function route(
  app: App,
  front: ServerContext,
  path: string,
  answer: (request: RequestContext) => Reply | Promise<Reply>,
): void {
  direct(app, path, (request) => {
    if (request.method === 'OPTIONS') return options(front, request);
    try {
      if (request.method !== 'GET' && request.method !== 'HEAD') throw notAllowed();
      const reply = answer(request);
      return reply instanceof Promise
        ? reply.catch((error: unknown) => problemReply(front, request, error))
        : reply;
    } catch (error) {
      return problemReply(front, request, error);
    }
  });
}

/** Says 404 for every other path, with the path that may have been meant. */
export function refuseOtherPaths(app: App, front: ServerContext): void {
  app.notFound((context) => {
    const request = new RequestContext(context, 'other');
    if (request.method === 'OPTIONS') return asResponse(options(front, request));
    const paths = new Set(app.routes.map(({ path }) => path.replace(/:(\w+)/g, '{$1}')));
    return asResponse(problemReply(front, request, notFound(nearest(request.path, paths))));
  });
}

/** The methods of every address. */
export const allowedMethods = 'GET, HEAD, OPTIONS';

function options(front: ServerContext, request: RequestContext): Reply {
  note(front, request, 204, 0);
  return {
    status: 204,
    headers: {
      Allow: allowedMethods,
      ...openToAll,
      'Access-Control-Allow-Methods': allowedMethods,
      'Access-Control-Allow-Headers':
        'Accept, Accept-Language, If-None-Match, Prefer, X-Request-Id',
      'Access-Control-Max-Age': '86400',
      'X-Request-Id': request.requestId,
    },
    body: null,
  };
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
