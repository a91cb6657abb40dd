import { Problem } from '../problem.ts';
import type { RequestContext } from './request-context.ts';

/**
 * Refuses callers on other machines with 404. Their requests may arrive through a proxy on this machine: most proxies add
 * a header, and the others forward the caller's `Host`, which is not a name of this machine.
 */
export function requireOwnMachine(request: RequestContext): void {
  const address = request.incoming.socket.remoteAddress ?? '';
  const host = request.header('host') ?? '';
  const isLocal =
    /^(?:::1|(?:::ffff:)?127\.\d+\.\d+\.\d+)$/.test(address) &&
    /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i.test(host);
  if (isLocal && proxyHeaders.every((name) => request.header(name) === null)) return;
  throw new Problem('not_found', {
    ko: '이 주소는 서비스가 실행 중인 컴퓨터에서만 볼 수 있습니다. 그 컴퓨터에서 접속하세요.',
    en: 'This address answers only on the machine that runs the service. Open it there.',
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
