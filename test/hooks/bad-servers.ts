import type { Socket } from 'node:net';
import { troubles } from '../sdk/gate.ts';

/** Everything that may answer in place of the members service. */
export const badServers: Readonly<Record<string, (socket: Socket) => unknown>> = {
  ...troubles,
  'HTML with 200': answerWith('200 OK', 'text/html', '<!doctype html><title>Sign in</title>'),
  'text that is not JSON': answerWith('200 OK', 'application/json', '{"svc_uid":"svc_a"'),
  'an array': answerWith('200 OK', 'application/json', '["svc_uid"]'),
  null: answerWith('200 OK', 'application/json', 'null'),
  'an empty object': answerWith('200 OK', 'application/json', '{}'),
  'members of wrong types': answerWith('200 OK', 'application/json', wrongTypes()),
  '204': answerWith('204 No Content', 'application/json', null),
  'an empty 200': answerWith('200 OK', 'application/json', ''),
  'deep nesting': answerWith('200 OK', 'application/json', '['.repeat(100_000)),
  'no HTTP': (socket) => socket.once('data', () => socket.end('SSH-2.0-OpenSSH_9.2\r\n')),
  'HTML with 403': answerWith('403 Forbidden', 'text/html', '<h1>Forbidden</h1>'),
  'an address without members': answerWith('404 Not Found', 'application/problem+json', notFound()),
  'a body without end': (socket) =>
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      const block = Buffer.alloc(65_536, ' ');
      const write = (): void => {
        while (socket.writable && socket.write(block));
      };
      socket.on('drain', write);
      write();
    }),
  'a dripping body': dripAfter('HTTP/1.1 200 OK\r\nContent-Length: 10000\r\n\r\n{"svc_uid":"svc_'),
  'dripping headers': dripAfter('HTTP/1.1 200 OK\r\nX-Slow: '),
};

/** Answer at an address of Maru with a superfluous path, or of a service that serves the lookup alone. */
function notFound(): string {
  return JSON.stringify({ status: 404, code: 'not_found', errors: [], retryable: false });
}

function answerWith(status: string, type: string, body: string | null) {
  const length = body === null ? '' : `Content-Length: ${Buffer.byteLength(body)}\r\n`;
  const head = `HTTP/1.1 ${status}\r\nContent-Type: ${type}\r\n${length}\r\n`;
  return (socket: Socket): unknown => socket.once('data', () => socket.end(head + (body ?? '')));
}

/** Sends a byte now and then, so that no single read takes long. */
function dripAfter(start: string) {
  return (socket: Socket): unknown =>
    socket.once('data', () => {
      socket.write(start);
      const drip = setInterval(() => socket.write('a'), 20);
      socket.on('close', () => clearInterval(drip));
    });
}

/** Every member that an answer may have, each with the type of another. */
function wrongTypes(): string {
  return JSON.stringify({
    svc_uid: 7,
    warnings: 'none',
    active: 'true',
    sign_in_allowed: 'true',
    membership: 'u-1',
    ok: 1,
    event_id: {},
    missing: 'all',
    results: 2,
    left: 'yes',
  });
}
