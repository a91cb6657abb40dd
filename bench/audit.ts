import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { audit } from '../src/members/audit.ts';
import type { MemberContext } from '../src/members/context.ts';
import { PlatformDirectory } from '../src/members/platform-directory.ts';
import { sealAudit } from '../src/members/seal-audit.ts';
import { SqliteMemberStore } from '../src/members/store/sqlite.ts';
import { verifyAudit } from '../src/members/verify-audit.ts';

/**
 * Times the verification of a large audit log in the process that serves requests, and how long a request waits
 * meanwhile: `node bench/audit.ts [ROWS]`. A request waits for at most one turn of the event loop. The time of a turn
 * includes other processes of the machine. Processor time is a mean: Linux may count it by ticks of 4 ms, several times
 * a turn.
 */
const rows = Number(process.argv[2] ?? 1_000_000);
const rowsPerCommit = 10_000;
const folder = mkdtempSync(join(tmpdir(), 'maru-bench-'));
try {
  await using store = new SqliteMemberStore(join(folder, 'members.db'));
  const platforms = new PlatformDirectory(store);
  const context = { store, platforms, now: Date.now, secret: Buffer.alloc(32, 7) };
  await fill(context);
  await measure('from the first row', () => verifyAudit(context));
  await measure('sealing', () => sealAudit(context));
  await measure('from the last seal', () => verifyAudit(context, { from: 'seal' }));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function fill(context: MemberContext): Promise<void> {
  const operator = { actor: 'operator:bench', reason: 'a reason as long as operators write them' };
  const entry = { action: 'tier_changed', subject: `svc_${'a'.repeat(26)}` };
  const detail = { from: 'BRONZE', to: 'SILVER' };
  for (let done = 0; done < rows; done += rowsPerCommit) {
    await context.store.write(async (tx) => {
      for (let row = done; row < Math.min(rows, done + rowsPerCommit); row++) {
        await audit(context, tx, operator, { ...entry, detail });
      }
    });
  }
}

async function measure(name: string, run: () => Promise<unknown>): Promise<void> {
  const turns: number[] = [];
  const cpuBefore = process.threadCpuUsage();
  const start = performance.now();
  const work = run().then(() => true);
  let isDone = false;
  while (!isDone) {
    const before = performance.now();
    isDone = await Promise.race([work, nextTurn(false)]);
    turns.push(performance.now() - before);
  }
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.threadCpuUsage(cpuBefore);
  const processorMs = (user + system) / 1000 / turns.length;
  process.stdout.write(
    `${name.padEnd(20)} ${seconds.toFixed(1).padStart(6)} s, ${turns.length} turns: processor ${processorMs.toFixed(2)} ms each; by the clock p50 ${quantile(turns, 0.5)} ms, p99 ${quantile(turns, 0.99)} ms, at most ${quantile(turns, 1)} ms\n`,
  );
}

/** Quantile of the values, with one decimal. */
function quantile(values: readonly number[], share: number): string {
  const sorted = values.toSorted((one, other) => one - other);
  return (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(1);
}
