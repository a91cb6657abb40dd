import { Problem } from '../problem.ts';
import type { RequestContext } from './request-context.ts';
import { note, type ServerContext } from './server-context.ts';
import type { Reply } from './reply.ts';

/** Sends text for machines and operators, which nobody may keep. */
export function respondText(front: ServerContext, request: RequestContext, text: string): Reply {
  const bytes = Buffer.byteLength(text);
  note(front, request, 200, bytes);
  return {
    status: 200,
    headers: {
      'Content-Type': 'text/plain; charset=utf-8',
      'Content-Length': String(bytes),
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      'X-Request-Id': request.requestId,
    },
    body: text,
  };
}

/**
 * 404 for everyone but this machine. A proxy on it speaks for others. Most say so in a header; a plain one
 * passes on the name it was asked by, which is then not that of this machine.
 */
export function toOwnMachine(request: RequestContext): void {
  const address = request.connection.incoming?.socket.remoteAddress ?? '';
  const host = request.header('host') ?? '';
  const isOwn =
    /^(?:::1|(?:::ffff:)?127\.\d+\.\d+\.\d+)$/.test(address) &&
    /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i.test(host);
  if (isOwn && proxyHeaders.every((name) => request.header(name) === null)) return;
  throw new Problem('not_found', {
    ko: '이 주소는 서비스가 도는 컴퓨터에서만 볼 수 있습니다.',
    en: 'This address is for the machine the service runs on.',
  });
}

const proxyHeaders = [
  'cf-connecting-ip',
  'forwarded',
  'true-client-ip',
  'via',
  'x-client-ip',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
];
