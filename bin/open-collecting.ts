import type { Command } from 'commander';
import type { PortalLimits } from '../src/harvest/client/limits.ts';
import { createUnlimitedQuota } from '../src/harvest/client/quota.ts';
import { createStoredQuota } from '../src/harvest/runs/quota-store.ts';
import { openJobs } from '../src/harvest/runs/job-store.ts';
import { Runs } from '../src/harvest/runs/runs.ts';
import type { CollectedSource, CollectProgress } from '../src/harvest/runs/outcome.ts';
import { readSettings, type Settings } from '../src/kernel/settings.ts';
import { stopSignal } from './stop-signal.ts';
import { formatCount, print, ProgressLine } from './terminal.ts';
import { openSampleUpstream, openUpstream, type Upstream } from './upstream.ts';

/** Options of the collecting commands: those of `addCollectingOptions`, and `due`, which some add themselves. */
export interface CollectingOptions {
  readonly due?: boolean;
  readonly sample?: boolean;
  readonly reparse?: boolean;
  readonly accept?: boolean;
  readonly ignoreQuota?: boolean;
  readonly json?: boolean;
}

/** Adds the options that all collecting commands share. */
export function addCollectingOptions(command: Command): Command {
  return command
    .option('--sample', 'collect from the built-in sample portal, without a key')
    .option('--reparse', 'read the stored responses again, without any request')
    .option('--accept', 'publish data that the checks reject')
    .option(
      '--ignore-quota',
      'send requests even if the daily quota counts as used up: the portal alone decides',
    )
    .option('--json', 'the report as JSON');
}

/** Resources of a command that collects, released together. */
interface Collecting extends AsyncDisposable {
  readonly settings: Settings;
  readonly data: string;
  readonly runs: Runs;
  readonly upstream: Upstream;
  readonly signal: AbortSignal;
  readonly progress: ProgressLine;
}

export async function openCollecting(
  { sample, ignoreQuota }: CollectingOptions,
  limits: Partial<PortalLimits> = {},
): Promise<Collecting> {
  const settings = readSettings(process.env);
  const data = settings.MARU_DATA;
  await using stack = new AsyncDisposableStack();
  const database = stack.adopt(openJobs(data), (opened) => opened.close());
  const runs = new Runs(database, () => Date.now());
  const storedQuota = createStoredQuota(database);
  const quota = ignoreQuota ? createUnlimitedQuota(storedQuota) : storedQuota;
  const upstream = stack.use(
    sample ? await openSampleUpstream(limits) : openUpstream(settings, quota, limits),
  );
  const { signal } = stack.use(stopSignal());
  const progress = stack.use(new ProgressLine());
  const opened = stack.move();
  return {
    settings,
    data,
    runs,
    upstream,
    signal,
    progress,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** Report line of a collected source. */
export function sourceLine(source: CollectedSource, name: string, unit: string): string {
  const { outcome, rows, requests, findings, message } = source;
  const counts = findings.map(({ kind, count }) => `${kind} ${formatCount(count)}`).join(', ');
  const kinds = counts === '' ? '' : `  [${counts}]`;
  const text = message === null ? '' : `\n  ${message}`;
  return `${outcome.padEnd(9)}  ${name}  ${formatCount(rows)} ${unit}, ${formatCount(requests)} requests${kinds}${text}`;
}

/** Text of the progress line; `quota` is the number of calls left today. */
export function progressLine(step: CollectProgress, unit: string, quota: number | null): string {
  const { code, done, total, requests, planned, rows, bytes, elapsedMs, sourceMs } = step;
  const rate = requests / Math.max(1, sourceMs);
  const secondsLeft = Math.ceil(Math.max(0, planned - requests) / Math.max(rate, 1e-6) / 1_000);
  return [
    `${done}/${total} ${code}`,
    `${formatCount(requests)}/${formatCount(planned)} requests`,
    `${formatCount(rows)} ${unit}`,
    ...(bytes > 0 ? [`${(bytes / 1e6).toFixed(1)} MB`] : []),
    `${(rate * 1_000).toFixed(1)}/s`,
    ...(quota === null ? [] : [`quota ${formatCount(quota)}`]),
    `${formatCount(secondsLeft)} s left`,
    `${Math.round(elapsedMs / 1_000)} s`,
  ].join(' · ');
}

export function printSnapshot(snapshot: string | null): void {
  print(
    snapshot === null
      ? 'Nothing was published; the previous data is still served.'
      : `Published as snapshot ${snapshot}.`,
  );
}
