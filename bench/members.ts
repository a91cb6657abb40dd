import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { heapFlags } from './heap-flags.ts';
import { startService } from './members-service.ts';
import { peakMegabytes, processorMicroseconds } from './process-facts.ts';
import { load, type Load } from './wrk.ts';

/**
 * Requests a second of the members service over HTTP, each answer durable before it is sent, on one machine with its
 * client: `node bench/members.ts [SECONDS]`. Needs wrk. Ratios are to the route that does nothing but answer.
 */
const seconds = Number(process.argv[2] ?? 4);
const folder = mkdtempSync(join(tmpdir(), 'maru-bench-'));
try {
  await using service = await startService(folder);
  const { url, headers, uid, cookie, pid } = service;
  const event = `{"svc_uid":"${uid}","platform":"demo","event":"visit","event_id":"b{n}"}`;
  const user = '{"email":"b{n}@example.com","platform":"demo","local_user_id":"{n}"}';
  const again = '{"email":"bench@example.com","platform":"demo","local_user_id":"u"}';
  const batch = `{"events":[${Array.from({ length: 100 }, () => event).join(',')}]}`;
  const runs: [name: string, unit: number, Pick<Load, 'url' | 'headers' | 'body'>][] = [
    ['GET /healthz', 1, { url: `${url}/healthz`, headers: {} }],
    ['GET /auth/me with a live session', 1, { url: `${url}/auth/me`, headers: { cookie } }],
    [
      'POST /members/register, new members',
      1,
      { url: `${url}/members/register`, headers, body: user },
    ],
    [
      'POST /members/register, one again',
      1,
      { url: `${url}/members/register`, headers, body: again },
    ],
    ['POST /members/events', 1, { url: `${url}/members/events`, headers, body: event }],
    [
      'POST /members/events/batch of 100 (events)',
      100,
      { url: `${url}/members/events/batch`, headers, body: batch },
    ],
  ];
  process.stdout.write(
    `Node ${process.version} with ${heapFlags.join(' ')}, 64 connections, ${seconds} s each, client on the same machine\n`,
  );
  let emptyPerSecond = 0;
  for (const [name, unit, target] of runs) {
    // Until the code of the route is compiled for good.
    await load({ ...target, seconds: 3, folder });
    const before = processorMicroseconds(pid);
    const { perSecond, p99Ms } = await load({ ...target, seconds, folder });
    const each = (processorMicroseconds(pid) - before) / (perSecond * seconds * unit);
    emptyPerSecond ||= perSecond;
    const figures = `${Math.round(perSecond * unit)}/s`.padStart(10);
    const ratio = ((perSecond * unit) / emptyPerSecond).toFixed(2);
    process.stdout.write(
      `${name.padEnd(44)}${figures}  ${ratio} of an empty answer, ${each.toFixed(1)} µs of processor each, p99 ${p99Ms}, peak ${peakMegabytes(pid)} MB\n`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
