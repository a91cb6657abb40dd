import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { PostgresMemberStore } from '../src/members/postgres/store.ts';
import { SqliteMemberStore } from '../src/members/store/sqlite.ts';
import { PostgresServer } from '../test/postgres/server.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';
import { memberTraffic, type Traffic } from './member-traffic.ts';
import { familyMicroseconds, processorMicroseconds } from './process-facts.ts';

/**
 * The members' store on PostgreSQL beside SQLite, without HTTP, both durable: rounds in turn, medians of rates, of
 * processor time and of the ratios. `node bench/members-engines.ts [ROUNDS] [KIND]`: the kinds whose name begins with
 * KIND, after the ones before them. The server is the one that the tests use, with its syncs, on the same cores.
 */
const rounds = Number(process.argv[2] ?? 10);
const kind = process.argv[3] ?? '';
const folder = temporaryFolder();
try {
  await using server = await PostgresServer.start({ isDurable: true });
  await using sqlite = new SqliteMemberStore(join(folder.path, 'members.db'));
  await using postgres = await PostgresMemberStore.open(server.url);
  const postgresTraffic = await memberTraffic(postgres);
  for (const [at, traffic] of (await memberTraffic(sqlite)).entries()) {
    const isWanted = traffic.name.startsWith(kind);
    const pairs: Pair[] = [];
    // The first round compiles code and plans.
    for (let round = 0; round <= (isWanted ? rounds : 1); round++) {
      const own = await runRound(traffic, round, null);
      const beside = await runRound(postgresTraffic[at]!, round, server.pid);
      if (round > 0) pairs.push({ own, beside });
    }
    if (isWanted) report(traffic.name, pairs);
  }
} finally {
  rmSync(folder.path, { recursive: true, force: true });
}

interface Pair {
  readonly own: Round;
  readonly beside: Round;
}

/** Microseconds a piece: by the clock, and of processor in this process and in the server. */
interface Round {
  readonly clock: number;
  readonly here: number;
  readonly server: number;
}

async function runRound(traffic: Traffic, round: number, server: number | null): Promise<Round> {
  const { calls, callers, each, call } = traffic;
  let next = round * calls;
  const runCaller = async () => {
    while (next < (round + 1) * calls) await call(next++);
  };
  const serverBefore = server === null ? 0 : familyMicroseconds(server);
  const hereBefore = processorMicroseconds(process.pid);
  const started = performance.now();
  await Promise.all(Array.from({ length: callers }, runCaller));
  const pieces = calls * each;
  return {
    clock: ((performance.now() - started) * 1_000) / pieces,
    here: (processorMicroseconds(process.pid) - hereBefore) / pieces,
    server: server === null ? 0 : (familyMicroseconds(server) - serverBefore) / pieces,
  };
}

function report(name: string, pairs: readonly Pair[]): void {
  const median = (of: (pair: Pair) => number) => medianOf(pairs.map(of));
  const own = `SQLite ${rateOf(median(({ own: { clock } }) => clock))} (${median(({ own: { here } }) => here).toFixed(1)} µs)`;
  const times = [
    median(({ beside: { here } }) => here),
    median(({ beside: { server } }) => server),
  ];
  const beside = `PostgreSQL ${rateOf(median((pair) => pair.beside.clock))} (${times.map((time) => time.toFixed(1)).join(' + ')} µs)`;
  const ratio = median((pair) => pair.own.clock / pair.beside.clock).toFixed(2);
  process.stdout.write(`${name}: ${own}, ${beside}, ratio ${ratio}\n`);
}

function rateOf(clockUs: number): string {
  return `${Math.round(1e6 / clockUs).toLocaleString('en')} a second`;
}

function medianOf(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!;
}
