import { sampleKey } from '../sample/keys.ts';
import { axisDefinition } from '../src/harvest/operations/definitions.ts';
import { createPortalClient } from '../src/harvest/client/portal-client.ts';
import { createMemoryQuota } from '../src/harvest/client/quota.ts';
import { collectAxes } from '../src/harvest/runs/collect-axes.ts';
import { silentLog } from '../src/kernel/log.ts';

/**
 * Cost of a collection. `fetch…` counts until the last response; processor time is of this process only.
 */
export interface CollectionCost {
  readonly rows: number;
  readonly fetchMs: number;
  readonly fetchCpuMs: number;
  readonly wholeMs: number;
  readonly cpuMs: number;
  readonly peakMb: number;
}

/**
 * Collects one axis. Arguments: data folder, gateway (`-` reads the stored responses again), code, calls a second, and
 * `xml` for the portal's default format instead of JSON.
 */
const [data, gateway, code, perSecond, format = 'json'] = process.argv.slice(2);
if (data === undefined || gateway === undefined || code === undefined) {
  throw new Error('Usage: bench/collect-once.ts DATA GATEWAY CODE PER_SECOND [xml]');
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
let fetchMs = 0;
let fetchCpuMs = 0;
const { axes } = await collectAxes(data, [code], {
  client,
  origin: 'sample',
  onProgress: () => {
    fetchMs = performance.now() - started;
    fetchCpuMs = processorMs();
  },
});
const [axis] = axes;
if (axis?.outcome !== 'published' && axis?.outcome !== 'unchanged') {
  throw new Error(axis?.message ?? 'Nothing came.');
}
const cost: CollectionCost = {
  rows: axis.rows,
  fetchMs,
  fetchCpuMs,
  wholeMs: performance.now() - started,
  cpuMs: processorMs(),
  peakMb: process.resourceUsage().maxRSS / 1_024,
};
process.stdout.write(JSON.stringify(cost));

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
