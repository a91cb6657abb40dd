import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { benchData } from './bench-data.ts';

// Measures requests a second of a 20-row page, in turn with nginx serving the same bytes from a file. Also measures the
// server's processor time a request, which other work on the machine and the limits of the client hardly change. Needs
// `nginx` and `wrk` (Debian packages of these names).

const seconds = Number(process.argv[2] ?? 4);
const rounds = 3;
const folder = mkdtempSync(join(tmpdir(), 'maru-bench-'));
// nginx reads it as another user.
chmodSync(folder, 0o755);
const maruPort = 47_310;
const nginxPort = 47_320;
const processes: ChildProcess[] = [];
try {
  const root = resolve(import.meta.dirname, '..');
  start(join(root, 'maru'), ['serve', 'lookup'], {
    MARU_DATA: benchData,
    MARU_LOG: 'warning',
    PORT: String(maruPort),
  });
  const base = `http://127.0.0.1:${maruPort}`;
  await waitUntilReady(`${base}/readyz`);
  const axes = (await (await fetch(`${base}/api/axes`)).json()) as {
    items: { code: string; rows: number }[];
  };
  const axis = axes.items.toSorted((a, b) => b.rows - a.rows)[0]!;
  const page = `${base}/api/data/axis?axis=${axis.code}&limit=20`;
  const deep = `${page}&offset=${Math.min(700_000, axis.rows - 20)}`;
  // Uncompressed: each content coding has its own entity tag.
  const plain = { 'Accept-Encoding': 'identity' };
  const answer = await fetch(page, { headers: plain });
  const tag = answer.headers.get('etag')!;
  const again = await fetch(page, { headers: { ...plain, 'If-None-Match': tag } });
  if (again.status !== 304)
    throw new Error(`A conditional request answered ${again.status}, not 304.`);
  const body = Buffer.from(await answer.arrayBuffer());
  writeFileSync(join(folder, 'page.json'), body);
  writeFileSync(join(folder, 'nginx.conf'), nginxConfiguration());
  start('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], {});
  await waitUntilReady(`http://127.0.0.1:${nginxPort}/page.json`);

  const targets: Record<string, [url: string, headers: string[]]> = {
    'nginx, the same bytes from a file': [`http://127.0.0.1:${nginxPort}/page.json`, []],
    'page at offset 0': [page, []],
    'page at offset 700,000': [deep, []],
    'not modified (304)': [page, [`If-None-Match: ${tag}`]],
    'page at offset 0, gzip': [page, ['Accept-Encoding: gzip']],
  };
  const best: Record<string, Measurement> = {};
  for (let round = 0; round < rounds; round++) {
    for (const [name, [url, headers]] of Object.entries(targets)) {
      const measurement = measure(url, headers, url.startsWith(base) ? processes[0]!.pid! : null);
      const before = best[name] ?? measurement;
      best[name] = {
        rate: Math.max(before.rate, measurement.rate),
        microseconds: Math.min(before.microseconds, measurement.microseconds),
      };
    }
  }
  const [nginx, firstPage] = Object.values(best);
  process.stdout.write(
    `${axis.code}, ${body.length} bytes a page, 32 connections, best of ${rounds}\n`,
  );
  for (const [name, { rate, microseconds }] of Object.entries(best)) {
    const columns = [
      name.padEnd(36),
      `${Math.round(rate)}/s`.padStart(9),
      `${(rate / nginx!.rate).toFixed(2)} of nginx`.padStart(16),
      `${(rate / firstPage!.rate).toFixed(2)} of offset 0`.padStart(16),
      Number.isNaN(microseconds) ? '' : `${microseconds.toFixed(1)} µs of processor`.padStart(24),
    ];
    process.stdout.write(`${columns.join('')}\n`);
  }
} finally {
  for (const child of processes) {
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
  }
  rmSync(folder, { recursive: true });
}

function start(command: string, words: string[], environment: Record<string, string>): void {
  processes.push(
    spawn(command, words, { env: { ...process.env, ...environment }, stdio: 'ignore' }),
  );
}

async function waitUntilReady(url: string): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    try {
      if ((await fetch(url)).ok) return;
    } catch {
      // Not listening yet.
    }
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error(`${url} does not answer.`);
}

interface Measurement {
  /** Requests a second. */
  readonly rate: number;
  /** Processor time a request; NaN where the process is not ours. */
  readonly microseconds: number;
}

function measure(url: string, headers: readonly string[], pid: number | null): Measurement {
  const flags = headers.flatMap((header) => ['-H', header]);
  const before = pid === null ? Number.NaN : processorSeconds(pid);
  const output = execFileSync('wrk', ['-t1', '-c32', `-d${seconds}s`, ...flags, url], {
    encoding: 'utf8',
  });
  const spent = pid === null ? Number.NaN : processorSeconds(pid) - before;
  const rate = /Requests\/sec:\s+([\d.]+)/.exec(output)?.[1];
  const requests = /(\d+) requests in/.exec(output)?.[1];
  const failed = /Non-2xx or 3xx responses: (\d+)/.exec(output)?.[1];
  if (rate === undefined || failed !== undefined)
    throw new Error(`wrk on ${url} printed:\n${output}`);
  return { rate: Number(rate), microseconds: (spent / Number(requests)) * 1e6 };
}

/** User and system time of a process. Linux counts it in hundredths of a second. */
function processorSeconds(pid: number): number {
  // The 14th and the 15th field; the second is the command in parentheses.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

function nginxConfiguration(): string {
  return `
daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log ${folder}/error.log;
events { worker_connections 1024; }
http {
  access_log off; sendfile on; keepalive_requests 1000000;
  types { application/json json; }
  client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
  server { listen 127.0.0.1:${nginxPort}; root ${folder}; }
}
`;
}
