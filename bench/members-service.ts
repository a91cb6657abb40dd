import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { heapFlags } from './heap-flags.ts';

/** A members service in a process of its own on an empty folder, with a member who is signed in. */
export interface Service extends AsyncDisposable {
  readonly url: string;
  /** With the key of its platform `demo`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly uid: string;
  readonly cookie: string;
  readonly pid: number;
}

export async function startService(
  folder: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Service> {
  const program = join(resolve(import.meta.dirname, '..'), 'bin/maru.ts');
  const words = [...heapFlags, program, 'serve', 'members'];
  const child = spawn(process.execPath, words, {
    env: {
      ...process.env,
      MARU_DATA: folder,
      MARU_LOG: 'warning',
      MARU_RATE_SCALE: '0',
      PORT: '0',
      ...settings,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  for await (const chunk of child.stderr) {
    output += String(chunk);
    if (/svck_\w+\s/.test(output)) break;
  }
  child.stderr.resume();
  if (!output.includes('svck_')) throw new Error(output);
  const url = /Members +(http\S+)/.exec(output)![1]!.replace('localhost', '127.0.0.1');
  const headers = { 'x-api-key': /svck_\w+/.exec(output)![0], 'content-type': 'application/json' };
  const body = '{"email":"bench@example.com","platform":"demo","local_user_id":"u"}';
  const registered = await fetch(`${url}/members/register`, { method: 'POST', headers, body });
  const { svc_uid: uid } = (await registered.json()) as { svc_uid: string };
  const issued = await fetch(`${url}/auth/sso/issue`, { method: 'POST', headers, body });
  await issued.arrayBuffer();
  const cookie = issued.headers
    .getSetCookie()
    .map((one) => one.split(';')[0]!)
    .join('; ');
  return {
    url,
    headers,
    uid,
    cookie,
    pid: child.pid!,
    async [Symbol.asyncDispose]() {
      child.kill();
      await once(child, 'exit');
    },
  };
}
