import { Problem } from '../problem.ts';
import type { RequestContext } from './request-context.ts';

/**
 * Refuses callers on other machines: 404. A proxy on this machine calls for others: most add a header, and a plain
 * one passes on the name that its caller used, which is not this machine's.
 */
export function requireOwnMachine(request: RequestContext): void {
  const address = request.incoming.socket.remoteAddress ?? '';
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
