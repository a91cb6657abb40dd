import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/**
 * Requests that wrk sends: GET without a body, else POST. `{n}` in a body is a new number each time.
 */
export interface Load {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly seconds: number;
  /** Folder for its script. */
  readonly folder: string;
  /** The one core it may use; needs taskset. */
  readonly core?: number;
}

export interface Rate {
  readonly perSecond: number;
  readonly p99Ms: string;
}

/** Sends requests on 64 connections from one thread of wrk, and returns their rate. Throws when one was refused. */
export async function load({ url, headers, body, seconds, folder, core }: Load): Promise<Rate> {
  const script = join(folder, 'wrk.lua');
  writeFileSync(script, luaOf(headers, body));
  const words = [
    ...(core === undefined ? [] : ['-c', String(core), 'wrk']),
    '-t1',
    '-c64',
    `-d${seconds}s`,
    '--timeout',
    '30s',
    '--latency',
    '-s',
    script,
    url,
  ];
  const { stdout } = await promisify(execFile)(core === undefined ? 'wrk' : 'taskset', words);
  const rate = /Requests\/sec: +([\d.]+)/.exec(stdout)?.[1];
  if (rate === undefined || /Non-2xx|Socket errors/.test(stdout)) throw new Error(stdout);
  return { perSecond: Number(rate), p99Ms: /99% +(\S+)/.exec(stdout)?.[1] ?? '?' };
}

/** Numbers have the time in them, so that no two runs send the same, and begin with 1, so that none looks like a card. */
function luaOf(headers: Readonly<Record<string, string>>, body: string | undefined): string {
  const lines = Object.entries(headers).map(
    ([name, value]) => `wrk.headers[${JSON.stringify(name)}] = ${JSON.stringify(value)}`,
  );
  if (body === undefined) return lines.join('\n');
  return `wrk.method = "POST"
${lines.join('\n')}
local body = [==[${body}]==]
local number = 1${String(Date.now() % 1_000_000_000).padStart(9, '0')} * 100000
request = function()
  return wrk.format(nil, nil, nil, (body:gsub("{n}", function()
    number = number + 1
    return string.format("%.0f", number)
  end)))
end
`;
}
