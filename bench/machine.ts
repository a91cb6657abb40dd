import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, openSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const deployFolder = resolve(import.meta.dirname, '../deploy/patroni');

/**
 * A machine of the cluster: a network, a name and files of its own, as namespaces of Linux. It runs the commands of the
 * units of deploy/patroni, again when they end, but has no watchdog and none of the hardening of systemd.
 */
export class Machine {
  readonly name: string;
  readonly #folder: string;
  /** Id of the process that keeps the namespaces. */
  readonly #keeper: number;

  constructor(name: string, address: string, folder: string) {
    this.name = name;
    this.#folder = folder;
    this.#keeper = keepNamespaces(name, folder);
    sh(`ip link add name ${name} type veth peer name eth0 netns ${this.#keeper}
      ip link set dev ${name} master switch up`);
    this.#inside(`ip addr add ${address}/24 dev eth0
      ip link set dev eth0 up
      ip link set dev lo up`);
  }

  start(): void {
    for (const unit of ['etcd', 'patroni']) this.#run(unit);
  }

  /** Runs a command as the user of PostgreSQL, to its end. */
  runAsPostgres(command: readonly string[]): void {
    const identity = ['--reuid=postgres', '--regid=postgres', '--init-groups'];
    execFileSync('nsenter', [...this.#enter(), 'setpriv', ...identity, ...command], {
      cwd: '/',
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }

  /** Ends all processes, as a machine does that loses its power. */
  async kill(): Promise<void> {
    for (let left = this.#processes(); left.length > 0; left = this.#processes()) {
      signalAll(left, 'SIGKILL');
      await pause(20);
    }
  }

  freeze(): void {
    // Twice, for processes that were made meanwhile.
    for (let round = 0; round < 2; round++) signalAll(this.#processes(), 'SIGSTOP');
  }

  freezeEtcd(): void {
    signalAll(this.#processes(/^etcd$/), 'SIGSTOP');
  }

  thaw(): void {
    signalAll(this.#processes(), 'SIGCONT');
  }

  cutOff(): void {
    sh(`ip link set dev ${this.name} down`);
  }

  connect(): void {
    sh(`ip link set dev ${this.name} up`);
  }

  /** Runs the command of a unit, as its user and with its variables. */
  #run(unit: string): void {
    const valuesOf = (key: string) =>
      valuesIn(unit, key).map((value) => value.replaceAll('%H', this.name));
    const files = valuesOf('EnvironmentFile').flatMap((path) =>
      readFileSync(join(this.#folder, path), 'utf8').split('\n').filter(isAssignment),
    );
    const variables = [...files, ...valuesOf('Environment').flatMap((line) => line.split(' '))];
    const [user] = valuesOf('User');
    const groups = valuesOf('SupplementaryGroups');
    const log = openSync(join(this.#folder, `${unit}.log`), 'a');
    const identity = [`--reuid=${user}`, `--regid=${user}`];
    const group = groups.length === 0 ? ['--init-groups'] : [`--groups=${groups.join(',')}`];
    const words = [
      ...this.#enter(),
      'sh',
      '-c',
      `while :; do "$@"; sleep ${valuesOf('RestartSec')[0]}; done`,
      'sh',
      'nice',
      `--adjustment=${valuesOf('Nice')[0] ?? 0}`,
      'setpriv',
      ...identity,
      ...group,
      'env',
      '-i',
      'PATH=/usr/bin:/bin',
      'LANG=C.UTF-8',
      ...variables,
      ...valuesOf('ExecStart').flatMap((line) => line.split(' ')),
    ];
    // It ends with the namespaces.
    spawn('nsenter', words, { stdio: ['ignore', log, log], cwd: '/' }).unref();
  }

  #inside(script: string): void {
    execFileSync('nsenter', [...this.#enter(), 'sh', '-ec', script]);
  }

  #enter(): string[] {
    return [`--target=${this.#keeper}`, '--mount', '--net', '--uts', '--'];
  }

  /** Processes of the machine, except the keeper of its namespaces. */
  #processes(name = /./): number[] {
    const network = networkOf(this.#keeper);
    return readdirSync('/proc')
      .map(Number)
      .filter((pid) => pid > 0 && pid !== this.#keeper && networkOf(pid) === network)
      .filter((pid) => name.test(nameOf(pid)));
  }
}

/** Runs commands of the shell; the first one that fails throws. */
export function sh(script: string): void {
  execFileSync('sh', ['-ec', script], { stdio: ['ignore', 'ignore', 'pipe'] });
}

function keepNamespaces(name: string, folder: string): number {
  for (const part of ['work', 'data', 'etcd', 'log', 'spool', 'run']) {
    mkdirSync(join(folder, part), { recursive: true });
  }
  const hidden = valuesIn('patroni', 'InaccessiblePaths').map((path) => path.replace(/^-/, ''));
  const script = `hostname ${name}
    chown postgres ${folder}/data ${folder}/log ${folder}/spool ${folder}/run
    chown etcd ${folder}/etcd
    mount -t overlay overlay -o lowerdir=/etc,upperdir=${folder}/etc,workdir=${folder}/work /etc
    mount --bind ${folder}/data /var/lib/postgresql
    mount --bind ${folder}/etcd /var/lib/etcd
    mount --bind ${folder}/log /var/log/pgbackrest
    mount --bind ${folder}/spool /var/spool/pgbackrest
    mount --bind ${folder}/../repository /var/lib/pgbackrest
    mount --bind ${folder}/run /var/run/postgresql
    mount -t tmpfs tmpfs /dev/shm
    ${hidden.map((path) => `[ ! -e ${path} ] || mount -t tmpfs -o mode=000 tmpfs ${path}`).join('\n    ')}
    touch ${folder}/made
    mount -t tmpfs -o mode=1777 tmpfs /tmp
    exec sleep infinity`;
  const keeper = spawn('unshare', ['--mount', '--net', '--uts', 'sh', '-ec', script], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  keeper.unref();
  sh(`for i in $(seq 100); do [ -e ${folder}/made ] && exit; sleep 0.05; done; exit 1`);
  return keeper.pid!;
}

/** Values of a setting in a unit of deploy/patroni. */
function valuesIn(unit: string, key: string): readonly string[] {
  const lines = readFileSync(join(deployFolder, `${unit}.service`), 'utf8').split('\n');
  return lines
    .filter((line) => line.startsWith(`${key}=`))
    .map((line) => line.slice(key.length + 1));
}

function isAssignment(line: string): boolean {
  return /^\w+=/.test(line);
}

function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended.
    }
  }
}

/** Null for a process that has ended. */
function networkOf(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/ns/net`);
  } catch {
    return null;
  }
}

function nameOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    return '';
  }
}
