import { sampleKey } from '../sample/keys.ts';
import { axisDefinition } from '../src/harvest/operations/definitions.ts';
import { createPortalClient } from '../src/harvest/client/portal-client.ts';
import { createMemoryQuota } from '../src/harvest/client/quota.ts';
import { collectAxes } from '../src/harvest/runs/collect.ts';
import { silentLog } from '../src/kernel/log.ts';

/** What it took; `asked` counts until the last answer was there, processor time of this process only. */
export interface Collected {
  readonly rows: number;
  readonly askedMs: number;
  readonly askedCpuMs: number;
  readonly wholeMs: number;
  readonly cpuMs: number;
  readonly peakMb: number;
}

/**
 * Collects one axis: data folder, gateway (`-` reads the kept answers again), code, calls a second, and `xml` for
 * answers as the portal gives them to who does not ask for JSON.
 */
const [data, gateway, code, perSecond, format = 'json'] = process.argv.slice(2);
if (data === undefined || gateway === undefined || code === undefined) {
  throw new Error('Say where to, where from and what.');
}
const client =
  gateway === '-'
    ? null
    : createPortalClient({
        serviceKey: sampleKey,
        gateway,
        quota: createMemoryQuota(),
        log: silentLog,
        limits: { callsPerSecond: Number(perSecond) },
        fetch: format === 'xml' ? fetchXml : fetch,
      });
const started = performance.now();
let askedMs = 0;
let askedCpuMs = 0;
const { axes } = await collectAxes(data, [code], {
  client,
  origin: 'sample',
  onProgress: () => {
    askedMs = performance.now() - started;
    askedCpuMs = processorMs();
  },
});
const [axis] = axes;
if (axis?.outcome !== 'published' && axis?.outcome !== 'unchanged') {
  throw new Error(axis?.message ?? 'Nothing came.');
}
const collected: Collected = {
  rows: axis.rows,
  askedMs,
  askedCpuMs,
  wholeMs: performance.now() - started,
  cpuMs: processorMs(),
  peakMb: process.resourceUsage().maxRSS / 1_024,
};
process.stdout.write(JSON.stringify(collected));

function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

function fetchXml(to: string | URL | Request, init?: RequestInit): Promise<Response> {
  const address = new URL(to instanceof Request ? to.url : to);
  const { json } = axisDefinition(code!)!;
  if (json !== null) address.searchParams.delete(json.parameter);
  return fetch(address, init);
}
