import { hash } from 'node:crypto';
import { createPortalClient } from '../../src/harvest/client/portal-client.ts';
import type { Clock } from '../../src/harvest/client/clock.ts';
import { createMemoryQuota, type QuotaStore } from '../../src/harvest/client/quota.ts';
import {
  collectAxes,
  type AxesReport,
  type CollectOptions,
} from '../../src/harvest/runs/collect-axes.ts';
import type { RecordsFile } from '../../src/data/snapshot/records.ts';
import { StoredAxes } from '../../src/harvest/runs/stored-axes.ts';
import { createLog } from '../../src/kernel/log.ts';
import { sampleKey } from '../../sample/keys.ts';

/** Twenty past noon in Seoul, when every service has published its newest hour. */
export const noon = Date.parse('2026-11-21T03:20:00Z');

export interface TestClock extends Clock {
  /** Moves the clock forward. */
  pass(ms: number): void;
}

/** Clock that moves forward at once where another clock would wait. */
export function testClock(start = noon): TestClock {
  let now = start;
  return {
    now: () => now,
    wait: (ms, signal) => {
      signal?.throwIfAborted();
      now += ms;
      return Promise.resolve();
    },
    pass: (ms) => {
      now += ms;
    },
  };
}

export interface CollectFrom extends Partial<CollectOptions> {
  readonly gateway: string;
  readonly serviceKey?: string;
  readonly quota?: QuotaStore;
  readonly clock?: Clock;
  /** Receives the log of the client. */
  readonly write?: (text: string) => void;
}

/** Collects over loopback with a clock that never really waits. */
export async function collectFrom(
  data: string,
  codes: readonly string[],
  { gateway, serviceKey = sampleKey, write = () => {}, quota, ...options }: CollectFrom,
): Promise<AxesReport> {
  const clock = options.clock ?? testClock();
  const client = createPortalClient({
    serviceKey,
    gateway,
    quota: quota ?? createMemoryQuota(),
    log: createLog({ level: 'debug', write, pretty: false }),
    clock,
    random: () => 0.5,
    limits: { callsPerSecond: 100_000 },
  });
  return await collectAxes(data, codes, { client, origin: 'sample', ...options, clock });
}

/** Hash of the sorted records of each served axis. */
export function hashesOf(data: string, codes: readonly string[]): Record<string, string> {
  const stored = new StoredAxes(data);
  return Object.fromEntries(
    codes.map((code) => {
      using source = stored.openServed(code);
      if (source === null) return [code, 'not held'];
      const lines = Array.from(recordsIn(source.records)).sort();
      return [code, `${lines.length} ${hash('md5', lines.join('\n'))}`];
    }),
  );
}

/** The text of each record, with a character for each byte, which needs no parser. */
function* recordsIn(records: RecordsFile): Generator<string> {
  for (const { bytes, starts, ends } of records.blocks()) {
    for (let at = 0; at < starts.length; at++) {
      yield bytes.toString('latin1', starts[at], ends[at]);
    }
  }
}
