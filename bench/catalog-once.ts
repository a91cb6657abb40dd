import { sampleKey } from '../sample/keys.ts';
import { collectCatalog } from '../src/harvest/catalog/collect.ts';
import { createPortalClient } from '../src/harvest/client/portal-client.ts';
import { createMemoryQuota } from '../src/harvest/client/quota.ts';
import { silentLog } from '../src/kernel/log.ts';

/** Collects the whole catalog. Arguments: data folder, gateway (`-` reads the stored responses again). */
const [data, gateway] = process.argv.slice(2);
if (data === undefined || gateway === undefined)
  throw new Error('Usage: bench/catalog-once.ts DATA GATEWAY');
const limits = { callsPerSecond: 100_000 };
const shared = { gateway: gateway === '-' ? null : gateway, limits };
const quota = createMemoryQuota();
const client = createPortalClient({ ...shared, serviceKey: sampleKey, quota, log: silentLog });
const started = performance.now();
const { summary, parts } = await collectCatalog(data, {
  ...shared,
  client,
  origin: 'sample',
  reparse: gateway === '-',
  onSource: ({ code }) => process.stderr.write(`${code}: ${peakMb()} MB so far\n`),
});
for (const { outcome, message } of parts) {
  if (outcome !== 'published') throw new Error(message ?? outcome);
}
const { user, system } = process.cpuUsage();
const times = `${seconds(performance.now() - started)} s, processor ${seconds((user + system) / 1_000)} s`;
process.stdout.write(`${summary?.total ?? 0} datasets: ${times}, peak ${peakMb()} MB\n`);

function peakMb(): number {
  return Math.round(process.resourceUsage().maxRSS / 1_024);
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(1);
}
