import assert from 'node:assert/strict';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { SeededRandom } from '../../sample/seeded-random.ts';
import { StoreFollower } from '../../src/data/remote/store-follower.ts';
import { currentId } from '../../src/data/snapshot/snapshots.ts';
import { createLog } from '../../src/kernel/log.ts';
import { readSettings } from '../../src/kernel/settings.ts';
import { buildAxis } from '../build-axis.ts';
import { runMaru, serveMaru, startMaru } from '../end-to-end/run-maru.ts';
import { isLongForm } from '../long-form.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { startBucket, type Bucket } from './bucket.ts';
import { startObjectServer } from './object-server.ts';

test('pushers and followers that are killed at any moment lose and mix nothing', async (t) => {
  const snapshots = isLongForm ? 50 : 3;
  const random = new SeededRandom(20261123);
  using folder = temporaryFolder();
  await using bucket = await startBucket(folder.path);
  const marks = new Map<string, string>();
  const builder = join(folder.path, 'builder');
  let kills = 0;

  /** Builds a snapshot and pushes it, by a process that is killed until it is not. */
  const publish = async (round: number): Promise<string> => {
    const rows = Array.from({ length: 2_000 }, () => [`판${round}`, '주차장']);
    const id = buildAxis(builder, 'file_1', rows);
    marks.set(id, `판${round}`);
    for (let tries = 0; ; tries++) {
      const pusher = startMaru(builder, ['snapshot', 'push'], bucket.environment);
      if (tries < 2) {
        setTimeout(() => pusher.child.kill('SIGKILL'), random.whole(200, 1_000)).unref();
      }
      const { code, signal, output } = await pusher.ended;
      if (signal === 'SIGKILL') kills++;
      else assert.equal(code, 0, output);
      if (code === 0) return id;
    }
  };
  await publish(0);
  const followers = await Promise.all(
    [1, 2, 3].map((number) => Follower.start(join(folder.path, `follower-${number}`), bucket)),
  );
  await using _stop = { [Symbol.asyncDispose]: () => stopAll(followers) };

  const end = new AbortController();
  let answers = 0;
  const readers = followers.map(async (_, reader) => {
    for (let requested = 0; !end.signal.aborted; requested++) {
      // As a balancer does, the next machine is tried when one is gone.
      const response = await firstAnswer(followers, reader + requested, pathOf(requested));
      assert.equal(response.status, 200);
      const { items, total, meta } = (await response.json()) as Answer;
      const names = new Set(items.map((item) => (item.record ?? item)['이름']));
      assert.deepEqual([...names], [marks.get(meta.snapshot)], meta.snapshot);
      assert.equal(total, 2_000);
      answers++;
      await wait(readerPauseMs);
    }
  });
  let last = '';
  for (let round = 1; round <= snapshots; round++) {
    const [published] = await Promise.all([
      publish(round),
      killLater(random.pick(followers), random.whole(0, 400)),
    ]);
    last = published;
  }
  await Promise.all(followers.map((follower) => follower.untilServing(last)));
  end.abort();
  await Promise.all(readers);
  assert.ok(answers > snapshots);
  t.diagnostic(
    `${snapshots} snapshots, ${kills} pushers and ${snapshots} followers killed, ${answers} answers`,
  );
});

test('two builders that push at once and are killed always leave a whole snapshot', async (t) => {
  const rounds = isLongForm ? 20 : 1;
  const random = new SeededRandom(20261124);
  using folder = temporaryFolder();
  await using server = await startObjectServer();
  const environment = {
    MARU_SNAPSHOTS_URL: 's3://b/p',
    AWS_ENDPOINT_URL: server.endpoint,
    AWS_ACCESS_KEY_ID: 'key',
    AWS_SECRET_ACCESS_KEY: 'secret',
  };
  const refusals = { busy: 0, older: 0, killed: 0 };

  /** Pulls, builds and pushes until a push has succeeded; one in three processes is killed. */
  const publish = async (builder: string, mark: string): Promise<string> => {
    for (let tries = 0; tries < 100; tries++) {
      await startMaru(builder, ['snapshot', 'pull', '--replace'], environment).ended;
      const id = buildAxis(builder, 'file_1', [[mark, '주차장']]);
      const pusher = startMaru(builder, ['snapshot', 'push'], environment);
      if (tries < 10 && random.chance(1 / 3)) {
        setTimeout(() => pusher.child.kill('SIGKILL'), random.whole(200, 1_000)).unref();
      }
      const { code, signal, output } = await pusher.ended;
      if (code === 0) return id;
      if (signal === 'SIGKILL') refusals.killed++;
      else if (/Another machine|all the time/.test(output)) refusals.busy++;
      else if (/from another data folder/.test(output)) refusals.older++;
      else assert.fail(output);
    }
    throw new Error(`${builder} never pushed.`);
  };
  for (let round = 1; round <= rounds; round++) {
    const pushed = await Promise.all(
      ['one', 'other'].map((name) => publish(join(folder.path, name), `${name} ${round}`)),
    );
    const follower = join(folder.path, `follower-${round}`);
    const pulled = await runMaru(follower, ['snapshot', 'pull'], environment);
    assert.equal(pulled.status, 0, pulled.errors);
    // The one that pushed last comes after the other.
    assert.equal(currentId(follower), pushed.toSorted().at(-1));
    const verified = await runMaru(follower, ['snapshot', 'verify']);
    assert.equal(verified.status, 0, verified.errors);
  }
  t.diagnostic(JSON.stringify(refusals));
});

test('serve follows a bucket from an empty folder, survives its loss and names it', async () => {
  using folder = temporaryFolder();
  const builder = join(folder.path, 'builder');
  const id = buildAxis(builder, 'file_1', [['강남주차장', null]]);
  const bucket = await startBucket(folder.path);
  const { environment } = bucket;
  const data = join(folder.path, 'follower');
  {
    await using _bucket = bucket;
    const pushed = await runMaru(builder, ['snapshot', 'push'], environment);
    assert.equal(pushed.status, 0, pushed.errors);
    assert.match(pushed.errors, /ignores conditional writes/);
    await using server = await serveMaru(data, environment, ['lookup']);
    await until(async () => (await readyOf(server.address)).startsWith(`ready ${id}\nfollowing`));
    const response = await fetch(`${server.address}/api/data/axis?axis=file_1`);
    assert.equal(response.status, 200);
  }
  // The bucket is gone: what is there is served, and the cause is named.
  await using server = await serveMaru(data, environment, ['lookup']);
  await until(async () =>
    /^ready .*\nnot following since .*: unreachable/.test(await readyOf(server.address)),
  );
  const response = await fetch(`${server.address}/api/data/axis?axis=file_1`);
  assert.equal(response.status, 200);
  const metrics = await (await fetch(`${server.address}/metrics`)).text();
  assert.match(metrics, /^maru_follow_failing 1$/m);
});

test('a follower logs a fault once, and its end', async () => {
  using folder = temporaryFolder();
  const [builder, data, store] = ['builder', 'data', 'store'].map((name) =>
    join(folder.path, name),
  );
  let lines = '';
  const log = createLog({ level: 'info', pretty: false, write: (text) => (lines += text) });
  const settings = readSettings({ MARU_SNAPSHOTS_URL: store! });
  await using follower = new StoreFollower({ settings, data: data!, intervalMs: 1 }, log);
  await until(async () => follower.state.fault?.code === 'missing_object');
  const id = buildAxis(builder!, 'file_1', [['강남주차장', null]]);
  const pushed = await runMaru(builder!, ['snapshot', 'push', store!]);
  assert.equal(pushed.status, 0, pushed.errors);
  await until(async () => follower.state.checkedAtMs !== null);
  log.flush();
  const events = lines
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { event: string }).event);
  assert.deepEqual(events, [
    'snapshots_not_followed',
    'snapshot_pulled',
    'snapshots_followed_again',
  ]);
  assert.equal(currentId(data!), id);
});

test('a command names what is wrong with a bucket, and shows no credentials', async () => {
  using folder = temporaryFolder();
  await using bucket = await startBucket(folder.path);
  const builder = join(folder.path, 'builder');
  buildAxis(builder, 'file_1', [['강남주차장', null]]);
  const wrongKey = { ...bucket.environment, AWS_SECRET_ACCESS_KEY: 'not-the-secret' };
  const refused = await runMaru(builder, ['snapshot', 'push'], wrongKey);
  assert.equal(refused.status, 1);
  assert.match(refused.errors, /s3:\/\/maru\/data: .* is 403 \(SignatureDoesNotMatch\)/);
  const empty = await runMaru(builder, ['snapshot', 'pull'], bucket.environment);
  assert.match(empty.errors, /has no snapshot yet/);
  const inUrl = await runMaru(builder, ['snapshot', 'push', 's3://key:not-the-secret@maru/data']);
  assert.equal(inUrl.status, 2);
  const unnamed = await runMaru(builder, ['snapshot', 'push']);
  assert.match(unnamed.errors, /No store is named/);
  const wrongCount = await runMaru(builder, ['snapshot', 'push', '--keep', '0']);
  assert.equal(wrongCount.status, 2);
  const both = await runMaru(builder, ['serve'], {
    ...bucket.environment,
    MARU_COLLECT: 'on',
    MARU_SERVICE_KEY: 'a-key',
  });
  assert.match(both.errors, /Set one of them/);
  for (const { output, errors } of [refused, empty, inUrl]) {
    assert.doesNotMatch(output + errors, /not-the-secret|S3RVER/);
  }
});

interface Answer {
  readonly items: readonly (Record<string, string> & {
    readonly record?: Record<string, string>;
  })[];
  readonly total: number;
  readonly meta: { readonly snapshot: string };
}

function pathOf(requested: number): string {
  return requested % 2 === 0
    ? `/api/data/axis?axis=file_1&limit=50&offset=${requested % 1_900}`
    : `/api/data/search?q=${encodeURIComponent('주차장')}&limit=50`;
}

async function firstAnswer(
  followers: readonly Follower[],
  first: number,
  path: string,
): Promise<Response> {
  for (let tries = 0; tries < 600; tries++) {
    const { address } = followers[(first + tries) % followers.length]!;
    try {
      const response = await fetch(address + path);
      const body = await response.arrayBuffer();
      return new Response(body, { status: response.status });
    } catch {
      // The process was killed.
      await wait(10);
    }
  }
  throw new Error('No follower answers.');
}

async function killLater(follower: Follower, ms: number): Promise<void> {
  await wait(ms);
  await follower.killAndRestart();
}

async function stopAll(followers: readonly Follower[]): Promise<void> {
  await Promise.all(followers.map((follower) => follower.kill()));
}

/** A serving process on a data folder of its own, which can be killed and started again. */
class Follower {
  address = '';
  readonly #data: string;
  readonly #bucket: Bucket;
  #process: ChildProcess | null = null;

  static async start(data: string, bucket: Bucket): Promise<Follower> {
    const follower = new Follower(data, bucket);
    await follower.#start();
    await until(async () => (await readyOf(follower.address)).startsWith('ready'));
    return follower;
  }

  private constructor(data: string, bucket: Bucket) {
    this.#data = data;
    this.#bucket = bucket;
  }

  async #start(): Promise<void> {
    this.#process = fork(resolve(import.meta.dirname, 'follower-process.ts'), {
      env: {
        ...process.env,
        ...this.#bucket.environment,
        MARU_DATA: this.#data,
        MARU_LOG: 'error',
      },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    // The process sends its address and nothing else.
    [this.address] = (await once(this.#process, 'message')) as [string];
  }

  async kill(): Promise<void> {
    const ended = once(this.#process!, 'exit');
    this.#process!.kill('SIGKILL');
    await ended;
  }

  async killAndRestart(): Promise<void> {
    await this.kill();
    await this.#start();
  }

  async untilServing(id: string): Promise<void> {
    await until(async () => (await readyOf(this.address)).startsWith(`ready ${id}\n`));
  }
}

async function readyOf(address: string): Promise<string> {
  try {
    return await (await fetch(`${address}/readyz`)).text();
  } catch {
    return '';
  }
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  for (const started = performance.now(); !(await isTrue());) {
    assert.ok(performance.now() - started < untilMsMax, 'It did not come about.');
    await wait(20);
  }
}

const untilMsMax = 60_000;

/** Between two requests of a reader, so that the readers take no processor time from the machines that they watch. */
const readerPauseMs = isLongForm ? 0 : 50;
