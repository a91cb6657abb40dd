import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ConfirmedWrites } from './confirmed-writes.ts';
import type { Machine } from './machine.ts';
import { startService } from './members-service.ts';
import { PatroniCluster } from './patroni-cluster.ts';

/**
 * Faults of the cluster of deploy/patroni under a load of registrations and events over HTTP: writes lost and doubled,
 * seconds until the service writes again, and its responses meanwhile. `node bench/fail-over.ts [ROUNDS] [FAULT]`: the
 * faults whose name begins with FAULT. Linux, as root, with Debian's `patroni`, `etcd-server`, `haproxy`,
 * `postgresql-15`, `pgbackrest` and `python3-etcd`. Everything runs in namespaces of its own and ends with the command.
 */
const [rounds = '20', prefix = ''] = process.argv.slice(2);

interface Fault {
  readonly name: string;
  readonly seconds: number;
  /** Starts the fault; the result ends it. */
  readonly begin: (cluster: PatroniCluster) => Promise<() => void>;
}

async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'maru-fail-over-'));
  chmodSync(folder, 0o755);
  try {
    const cluster = await PatroniCluster.start(folder);
    const settings = { DATABASE_URL: cluster.url };
    await using service = await startService(join(folder, 'data'), settings);
    const writes = new ConfirmedWrites(service);
    writes.start();
    await pause(5_000);
    await writes.stop();
    await writes.compare(cluster.url);
    for (const fault of faults.filter(({ name }) => name.startsWith(prefix))) {
      const results: Round[] = [];
      for (let round = 1; round <= Number(rounds); round++) {
        results.push(await runRound(cluster, writes, fault));
        report(`  ${fault.name} ${round}`, results.slice(-1));
      }
      report(fault.name, results);
    }
  } catch (error) {
    process.stdout.write(`Logs are in ${folder}.\n`);
    throw error;
  }
  rmSync(folder, { recursive: true, force: true });
}

type Round = Awaited<ReturnType<typeof runRound>>;

async function runRound(
  cluster: PatroniCluster,
  writes: ConfirmedWrites,
  { begin, seconds }: Fault,
) {
  await cluster.untilWhole();
  writes.start();
  await pause(2_000);
  const end = await begin(cluster);
  await pause(seconds * 1_000);
  const { confirmed } = writes;
  for (let waits = 0; writes.confirmed === confirmed && waits < 60; waits++) await pause(500);
  end();
  await cluster.untilWhole();
  const interruption = await writes.stop();
  return { ...interruption, ...(await writes.compare(cluster.url)) };
}

/** A fault lasts its seconds, and on until the service writes. Frozen and cut-off machines outlast each time-out. */
const faults: readonly Fault[] = [
  {
    name: 'leader killed',
    seconds: 5,
    begin: async (cluster) => kill(await machineOf(cluster, 'primary')),
  },
  {
    name: 'leader frozen',
    seconds: 30,
    begin: async (cluster) => freeze(await machineOf(cluster, 'primary')),
  },
  {
    name: 'leader cut off',
    seconds: 30,
    begin: async (cluster) => cutOff(await machineOf(cluster, 'primary')),
  },
  {
    name: 'standby killed',
    seconds: 10,
    begin: async (cluster) => kill(await machineOf(cluster, 'quorum')),
  },
  {
    name: 'standby frozen',
    seconds: 20,
    begin: async (cluster) => freeze(await machineOf(cluster, 'quorum')),
  },
  {
    name: 'etcd frozen',
    seconds: 25,
    begin: async ({ machines }) => {
      for (const machine of machines) machine.freezeEtcd();
      return () => {
        for (const machine of machines) machine.thaw();
      };
    },
  },
];

async function machineOf(cluster: PatroniCluster, role: 'primary' | 'quorum'): Promise<Machine> {
  const [machine] = await cluster.machinesOf(role);
  if (machine === undefined) throw new Error(`No machine is ${role}.`);
  return machine;
}

async function kill(machine: Machine): Promise<() => void> {
  await machine.kill();
  return () => machine.start();
}

function freeze(machine: Machine): () => void {
  machine.freeze();
  return () => machine.thaw();
}

function cutOff(machine: Machine): () => void {
  machine.cutOff();
  return () => machine.connect();
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

function report(name: string, results: readonly Round[]): void {
  const sum = (of: (round: Round) => number) => results.reduce((all, round) => all + of(round), 0);
  const most = (of: (round: Round) => number) => Math.max(...results.map(of));
  const gaps = results.map(({ gapMs }) => gapMs).toSorted((a, b) => a - b);
  const responses = new Map<string, number>();
  for (const [response, count] of results.flatMap((round) => [...round.responses])) {
    responses.set(response, (responses.get(response) ?? 0) + count);
  }
  const parts = [
    `${sum(({ writes }) => writes)} confirmed`,
    `${sum(({ lost }) => lost)} lost`,
    `${sum(({ doubled }) => doubled)} doubled`,
    `away ${seconds(gaps[gaps.length >> 1]!)} (median), ${seconds(gaps.at(-1)!)} (most)`,
    `slowest response ${seconds(most(({ slowestMs }) => slowestMs))}`,
    Array.from(responses, ([response, count]) => `${response}: ${count}`).join(', '),
  ];
  process.stdout.write(`${name}: ${parts.join(' · ')}\n`);
}

if (process.env.IN_NAMESPACES === undefined) {
  // The first process of the namespaces reaps processes that end; a server would take them for running.
  const flags = ['--net', '--mount', '--uts', '--ipc', '--pid', '--fork', '--kill-child'];
  const command = ['sh', '-c', '"$@" & wait $!', 'sh', process.execPath, ...process.argv.slice(1)];
  const { status } = spawnSync('unshare', [...flags, '--mount-proc', ...command], {
    stdio: 'inherit',
    env: { ...process.env, IN_NAMESPACES: 'yes' },
  });
  process.exitCode = status ?? 1;
} else {
  await run();
}
