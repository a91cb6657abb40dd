import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Machine, sh } from './machine.ts';

const deployFolder = resolve(import.meta.dirname, '../deploy/patroni');
const names = ['db1', 'db2', 'db3'] as const;

/**
 * Three machines with the files of deploy/patroni, unchanged but for passwords, and HAProxy on this one. The process must
 * have namespaces of its own.
 */
export class PatroniCluster {
  readonly machines: readonly Machine[];
  /** Address of the database `maru`, through HAProxy. */
  readonly url: string;
  readonly #folder: string;

  private constructor(folder: string, machines: readonly Machine[]) {
    this.#folder = folder;
    this.machines = machines;
    this.url = addressOf('maru', password, 'maru');
  }

  static async start(folder: string): Promise<PatroniCluster> {
    layNetwork(folder);
    makeCertificates(folder);
    mkdirSync(join(folder, 'repository'));
    sh(`chown postgres ${folder}/repository`);
    const machines = names.map((name, at) => {
      placeFiles(folder, name);
      return new Machine(name, `10.77.0.${11 + at}`, join(folder, name));
    });
    const cluster = new PatroniCluster(folder, machines);
    for (const machine of machines) machine.start();
    cluster.#startHaproxy();
    await cluster.untilWhole();
    cluster.#createDatabase();
    const [leader] = await cluster.machinesOf('primary');
    leader!.runAsPostgres(['pgbackrest', '--stanza=maru', 'stanza-create']);
    return cluster;
  }

  /** Waits until the cluster has a leader and two synchronous standbys that follow it. */
  async untilWhole(): Promise<void> {
    for (let waits = 0; ; waits++) {
      const [leader] = await this.machinesOf('primary');
      const standbys = await this.machinesOf('quorum');
      const members = leader === undefined ? [] : await this.#members(leader.name);
      const following = members.filter(
        ({ state, lag }) => state === 'streaming' && Number(lag) < 1_000_000,
      );
      if (standbys.length === 2 && following.length === 2) return;
      if (waits > waitsMax) throw new Error(`Not whole: ${JSON.stringify(members)}`);
      await pause(500);
    }
  }

  /** The machines that have a role by their own account. */
  async machinesOf(role: 'primary' | 'quorum'): Promise<readonly Machine[]> {
    const answers = await Promise.all(this.machines.map(({ name }) => this.#get(name, role)));
    return this.machines.filter((_, at) => answers[at]?.status === 200);
  }

  /** The members of the cluster by the account of one machine. */
  async #members(name: string): Promise<readonly Member[]> {
    const answer = await this.#get(name, 'cluster');
    if (answer === null) return [];
    return (JSON.parse(answer.body) as { readonly members: readonly Member[] }).members;
  }

  /** A response of the interface of Patroni; null if there is none. */
  async #get(name: string, path: string): Promise<{ status: number; body: string } | null> {
    const ca = readFileSync(join(this.#folder, 'here/etc/ssl/maru/ca.crt'));
    return new Promise((resolveAnswer) => {
      const fail = () => resolveAnswer(null);
      const options = { ca, timeout: 2_000, agent: false };
      const outgoing = request(`https://${name}:8008/${path}`, options, (response) => {
        let body = '';
        response.on('data', (chunk) => (body += String(chunk)));
        response.on('end', () => resolveAnswer({ status: response.statusCode ?? 0, body }));
        response.on('error', fail);
      });
      outgoing.on('timeout', () => outgoing.destroy());
      outgoing.on('error', fail);
      outgoing.on('close', fail);
      outgoing.end();
    });
  }

  #startHaproxy(): void {
    const log = openSync(join(this.#folder, 'haproxy.log'), 'a');
    const file = join(deployFolder, 'haproxy.cfg');
    spawn('/usr/sbin/haproxy', ['-db', '-f', file], { stdio: ['ignore', log, log] }).unref();
  }

  /** Creates the user of the service and its database, as the guide does. */
  #createDatabase(): void {
    const statements = [
      `CREATE ROLE maru LOGIN PASSWORD '${password}'`,
      'CREATE DATABASE maru OWNER maru',
      'GRANT pg_monitor TO maru',
    ];
    const flags = statements.flatMap((statement) => ['-c', statement]);
    execFileSync('psql', [addressOf('postgres', superuserPassword, 'postgres'), '-q', ...flags]);
  }
}

interface Member {
  readonly state: string;
  readonly lag?: number | string;
}

const password = 'service';
const superuserPassword = 'superuser';

/** Limit on the waits for a whole cluster, of half a second each. */
const waitsMax = 600;

function addressOf(user: string, secret: string, database: string): string {
  const tls = 'sslmode=verify-full&sslrootcert=/etc/ssl/maru/ca.crt';
  return `postgres://${user}:${secret}@localhost:5000/${database}?${tls}`;
}

/** Makes a switch that the machines are connected to, and lists their names in /etc/hosts. */
function layNetwork(folder: string): void {
  mkdirSync(join(folder, 'here/etc/ssl/maru'), { recursive: true });
  mkdirSync(join(folder, 'here/work'));
  const hosts = names.map((name, at) => `10.77.0.${11 + at} ${name}`);
  writeFileSync(join(folder, 'here/etc/hosts'), ['127.0.0.1 localhost', ...hosts, ''].join('\n'));
  sh(`mount --make-rprivate /
    mount -t overlay overlay -o lowerdir=/etc,upperdir=${folder}/here/etc,workdir=${folder}/here/work /etc
    ip link set dev lo up
    ip link add name switch type bridge
    ip addr add 10.77.0.1/24 dev switch
    ip link set dev switch up`);
}

/** Makes an authority, and for each machine a certificate with its name, and localhost for connections through HAProxy. */
function makeCertificates(folder: string): void {
  const authority = join(folder, 'here/etc/ssl/maru');
  const curve = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2';
  sh(`cd ${authority}
    openssl req -x509 ${curve} -keyout ${folder}/ca.key -out ca.crt -subj /CN=maru-ca 2>&1`);
  for (const name of names) {
    const place = join(folder, name, 'etc/ssl/maru');
    mkdirSync(place, { recursive: true });
    sh(`cd ${place}
      openssl req -x509 ${curve} -CA ${authority}/ca.crt -CAkey ${folder}/ca.key \\
        -keyout machine.key -out machine.crt -subj /CN=${name} \\
        -addext subjectAltName=DNS:${name},DNS:localhost -addext basicConstraints=critical,CA:FALSE \\
        -addext extendedKeyUsage=serverAuth,clientAuth 2>&1
      cp ${authority}/ca.crt .
      chown root:ssl-cert machine.key
      chmod 640 machine.key`);
  }
}

function placeFiles(folder: string, name: string): void {
  const etc = join(folder, name, 'etc');
  for (const part of ['patroni', 'pgbackrest']) mkdirSync(join(etc, part));
  cpSync(join(deployFolder, 'patroni.yml'), join(etc, 'patroni/patroni.yml'));
  cpSync(join(deployFolder, 'pgbackrest.conf'), join(etc, 'pgbackrest/pgbackrest.conf'));
  const passwords = readFileSync(join(deployFolder, 'passwords.env'), 'utf8');
  writeFileSync(
    join(etc, 'patroni/passwords.env'),
    passwords.replace('replace-me-1', superuserPassword),
  );
}
