import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { SeededRandom } from '../../sample/seeded-random.ts';
import { repeatWorks } from '../fixtures/repeated-works.ts';
import { isLongForm, shareBelow } from '../long-form.ts';
import { noFacts, Scene, type Call, type Facts } from './account-scene.ts';
import { AccountService } from './account-service.ts';
import { membersRig } from './rig.ts';

/** Seeds of sequences by which service and model once differed. */
const onceDifferent = [7_235, 21_629, 22_454, 42_103];
const [firstSeed, endSeed] = isLongForm ? seedRange() : [0, 150];
const seeds = [
  ...onceDifferent,
  ...Array.from({ length: endSeed - firstSeed }, (_, at) => firstSeed + at),
];
const callsMax = 24;
/** Sequences that run at once, so that a commit serves many. */
const lanes = 48;

test('T36: after any calls an account is offered to the person it was linked with last', async (t) => {
  await using rig = await membersRig({ open: (path) => new UnsyncedDatabase(path) });
  const service = await AccountService.open(rig);
  const startedAt = performance.now();
  const facts = await runAll(service, seeds);
  const perSecond = Math.round(seeds.length / ((performance.now() - startedAt) / 1_000));
  const range = `${seeds.length} sequences, up to seed ${endSeed - 1}`;
  t.diagnostic(`${range}, ${perSecond} a second: ${JSON.stringify(facts)}`);
  // The sequences reach each case often enough.
  for (const [name, count] of Object.entries(facts)) assert(count > seeds.length / 10, name);
});

// Other stores, tested by the first share alone.
if (firstSeed === 0) {
  test('calls whose work runs twice, the first time in vain, are answered like others', async () => {
    await using rig = await membersRig({ open: (path) => new UnsyncedDatabase(path) });
    const context = { ...rig.context, store: repeatWorks(rig.context.store) };
    const service = await AccountService.open({ ...rig, context });
    await runAll(service, seeds.slice(0, lanes));
  });

  test('calls that share transactions on PostgreSQL are answered like others', async () => {
    await using rig = await membersRig('postgres');
    await runAll(await AccountService.open(rig), seeds.slice(0, lanes / 2));
  });
}

/** Runs sequences and returns what they reached; throws the shortest form of one that failed. */
async function runAll(service: AccountService, sequences: readonly number[]): Promise<Facts> {
  const facts = noFacts();
  const next = sequences.values();
  const lane = async () => {
    for (const seed of next) {
      const calls = callsOf(seed);
      try {
        await run(service, calls, facts);
      } catch (fault) {
        const { shortest, last } = await shorten(service, calls, fault);
        const text = `Seed ${seed}: ${String(last)}\n${JSON.stringify(shortest)}`;
        throw new Error(text, { cause: fault });
      }
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return facts;
}

/** The long form takes 100,000 seeds, or a range such as `TEST_SEEDS=2000-4000`. */
function seedRange(): readonly [number, number] {
  const range = process.env['TEST_SEEDS'];
  if (range === undefined) {
    const { first, end } = shareBelow(100_000);
    return [first, end];
  }
  const [first = 0, end = first] = range.split('-').map(Number);
  if (!(first < end)) throw new Error('TEST_SEEDS is not like 2000-4000.');
  return [first, end];
}

/** Database that does not wait for the disk, since no test here kills it: ten times as fast. */
class UnsyncedDatabase extends DatabaseSync {
  override exec(sql: string): void {
    super.exec(sql.replace('synchronous = FULL', 'synchronous = OFF'));
  }
}

function callsOf(seed: number): readonly Call[] {
  const random = new SeededRandom(seed + 1);
  const number = () => random.whole(0, 1_000_000);
  return Array.from({ length: 4 + (number() % callsMax) }, () => Array.from({ length: 7 }, number));
}

/** The failing calls without those that the failure does not need. */
async function shorten(service: AccountService, calls: readonly Call[], fault: unknown) {
  let [shortest, last] = [calls, fault];
  for (let at = shortest.length - 1; at >= 0; at--) {
    const fewer = shortest.toSpliced(at, 1);
    try {
      await run(service, fewer, null);
    } catch (error) {
      [shortest, last] = [fewer, error];
    }
  }
  return { shortest, last };
}

async function run(service: AccountService, calls: readonly Call[], facts: Facts | null) {
  const scene = new Scene(service.scene());
  for (const call of calls) await scene.step(call);
  await scene.probe();
  if (facts === null) return;
  for (const name of Object.keys(facts) as (keyof Facts)[]) facts[name] += scene.facts[name];
}
