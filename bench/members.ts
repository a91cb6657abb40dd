import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * Requests a second of the members service over HTTP, each answer durable before it is sent, on one machine with its
 * client: `node bench/members.ts [SECONDS]`. Ratios are to the route that does nothing but answer.
 */
const seconds = Number(process.argv[2] ?? 4);
const connections = 64;
const agent = new Agent({ keepAlive: true, maxSockets: connections });
const folder = mkdtempSync(join(tmpdir(), 'maru-bench-'));
const root = resolve(import.meta.dirname, '..');
const port = 47_320;
const service = start();
try {
  const key = await demoKey(service);
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const user = { email: 'bench@example.com', platform: 'demo', local_user_id: 'u' };
  const { svc_uid: uid } = JSON.parse((await post('/members/register', headers, user)).body) as {
    svc_uid: string;
  };
  const issued = await post('/auth/sso/issue', headers, user);
  const cookie = issued.cookies.map((one) => one.split(';')[0]).join('; ');
  let next = 0;
  const event = () => ({ svc_uid: uid, platform: 'demo', event: 'visit', event_id: `b${next++}` });
  const runs: [name: string, unit: number, ask: () => Promise<{ status: number }>][] = [
    ['GET /healthz', 1, () => send('GET', '/healthz', {})],
    ['GET /auth/me with a live session', 1, () => send('GET', '/auth/me', { cookie })],
    [
      'POST /members/register, new members',
      1,
      () =>
        post('/members/register', headers, {
          email: `b${next++}@example.com`,
          platform: 'demo',
          local_user_id: String(next),
        }),
    ],
    ['POST /members/register, one member again', 1, () => post('/members/register', headers, user)],
    ['POST /members/events', 1, () => post('/members/events', headers, event())],
    [
      'POST /members/events/batch of 100 (events)',
      100,
      () => post('/members/events/batch', headers, { events: Array.from({ length: 100 }, event) }),
    ],
  ];
  process.stdout.write(
    `${connections} connections, ${seconds} s each, client on the same machine\n`,
  );
  let first = 0;
  for (const [name, unit, ask] of runs) {
    await measure(ask, 0.5);
    const rate = (await measure(ask, seconds)) * unit;
    first ||= rate;
    const ratio = (rate / first).toFixed(2);
    process.stdout.write(
      `${name.padEnd(46)}${Math.round(rate).toString().padStart(8)}/s  ${ratio} of an empty answer\n`,
    );
  }
} finally {
  service.kill();
  await once(service, 'exit');
  rmSync(folder, { recursive: true, force: true });
}

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly cookies: readonly string[];
}

function start(): ChildProcess {
  const environment = {
    ...process.env,
    MARU_DATA: folder,
    MARU_LOG: 'warning',
    MARU_RATE_SCALE: '0',
    PORT: String(port),
  };
  const given = [join(root, 'bin/maru.ts'), 'serve', 'members'];
  return spawn(process.execPath, given, { env: environment, stdio: ['ignore', 'ignore', 'pipe'] });
}

/** The key the first start prints once. */
async function demoKey({ stderr }: ChildProcess): Promise<string> {
  let text = '';
  for await (const chunk of stderr!) {
    text += String(chunk);
    const key = /svck_\w+/.exec(text)?.[0];
    if (key !== undefined) return key;
  }
  throw new Error(`The service did not start: ${text}`);
}

async function measure(ask: () => Promise<{ status: number }>, forS: number): Promise<number> {
  const from = performance.now();
  const until = from + forS * 1000;
  let answered = 0;
  const loop = async (): Promise<void> => {
    while (performance.now() < until) {
      const { status } = await ask();
      if (status >= 300) throw new Error(`Answered ${status}.`);
      answered++;
    }
  };
  await Promise.all(Array.from({ length: connections }, loop));
  return (answered / (performance.now() - from)) * 1000;
}

function post(path: string, headers: Record<string, string>, body: object): Promise<Answer> {
  return send('POST', path, headers, JSON.stringify(body));
}

function send(
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: string,
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const asked = request({ port, host: '127.0.0.1', method, path, headers, agent }, (response) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('end', () =>
      resolve({
        status: response.statusCode ?? 0,
        body: Buffer.concat(chunks).toString(),
        cookies: response.headers['set-cookie'] ?? [],
      }),
    );
  });
  asked.on('error', reject);
  asked.end(body);
  return promise;
}
