import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { cleanStore } from '../../src/data/remote/clean.ts';
import { fetchObject } from '../../src/data/remote/fetch-object.ts';
import { FolderStore } from '../../src/data/remote/folder-store.ts';
import { StoreFault, type ObjectStore } from '../../src/data/remote/object-store.ts';
import { readPointer, replacePointer, type Pointer } from '../../src/data/remote/pointer.ts';
import {
  axisFolder,
  dataPaths,
  packedParquetPath,
  type Manifest,
} from '../../src/data/snapshot/layout.ts';
import { pullSnapshot, type PullFacts } from '../../src/data/remote/pull.ts';
import { pushSnapshot, writerId } from '../../src/data/remote/push.ts';
import { sha256 } from '../../src/data/remote/sign-request.ts';
import { manifestKey } from '../../src/data/remote/stored-manifest.ts';
import {
  currentId,
  pointTo,
  previousId,
  readManifest,
  snapshotFolder,
  snapshotIds,
  unfinishedPrefix,
} from '../../src/data/snapshot/snapshots.ts';
import { verifyFolder } from '../../src/data/snapshot/verify.ts';
import { buildAxis } from '../build-axis.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { startObjectServer, type Fault, type ObjectServer } from './object-server.ts';

test('a pointer that is read while a store writes it is read again', async () => {
  using folder = temporaryFolder();
  using builder = temporaryFolder();
  const store = new FolderStore(folder.path);
  const id = buildAxis(builder.path, 'file_1', rowsOf('하나'));
  await push(store, builder.path);
  let reads = 0;
  const partial: ObjectStore = Object.create(store, {
    read: {
      value: async (...parameters: Parameters<ObjectStore['read']>) => {
        const stored = await store.read(...parameters);
        assert.ok(stored !== null && stored !== 'unchanged');
        return reads++ === 0 ? { ...stored, bytes: stored.bytes.subarray(0, 20) } : stored;
      },
    },
  });
  assert.equal((await pointerOf(partial)).id, id);
  assert.equal(reads, 2);
});

test('a pulled snapshot has the files that were pushed, and the next one moves what changed', async () => {
  await using server = await startObjectServer();
  using folder = temporaryFolder();
  for (const store of [server.store(), new FolderStore(folder.path)]) {
    using builder = temporaryFolder();
    using follower = temporaryFolder();
    buildAxis(builder.path, 'file_1', rowsOf('하나'));
    const id = buildAxis(builder.path, 'file_2', rowsOf('둘'));
    const first = await push(store, builder.path);
    assert.equal(first.id, id);
    assert.equal((await pull(store, follower.path)).id, id);
    assertSame(builder.path, follower.path);

    const next = buildAxis(builder.path, 'file_2', rowsOf('셋'));
    const second = await push(store, builder.path);
    assert.ok(second.objectsWritten <= 6 && second.isGuarded, JSON.stringify(second));
    const pulled = await pull(store, follower.path);
    assert.ok(pulled.isNew && pulled.objectsFetched === second.objectsWritten);
    assert.equal(currentId(follower.path), next);
    assertSame(builder.path, follower.path);
    const { tag: knownTag } = await pull(store, follower.path);
    assert.equal(await pullSnapshot(store, follower.path, { knownTag }), 'unchanged');
  }
});

test('a rollback of the builder is a rollback of the followers, without a file moved', async () => {
  await using server = await startObjectServer();
  using builder = temporaryFolder();
  using follower = temporaryFolder();
  const first = buildAxis(builder.path, 'file_1', rowsOf('하나'));
  await push(server.store(), builder.path);
  await pull(server.store(), follower.path);
  buildAxis(builder.path, 'file_1', rowsOf('둘'));
  await push(server.store(), builder.path);
  await pull(server.store(), follower.path);
  pointTo(builder.path, previousId(builder.path)!);
  assert.equal((await push(server.store(), builder.path)).objectsWritten, 0);
  const { objectsFetched, isNew } = await pull(server.store(), follower.path);
  assert.deepEqual([currentId(follower.path), objectsFetched, isNew], [first, 0, true]);
});

test('a snapshot of an unrelated folder is refused whatever its number, unless it replaces', async () => {
  await using server = await startObjectServer();
  using builder = temporaryFolder();
  using unrelated = temporaryFolder();
  using follower = temporaryFolder();
  const id = buildAxis(builder.path, 'file_1', rowsOf('하나'));
  await push(server.store(), builder.path);
  await pull(server.store(), follower.path);
  buildAxis(unrelated.path, 'file_2', rowsOf('둘'));
  const higher = buildAxis(unrelated.path, 'file_2', rowsOf('셋'));
  assert.ok(higher > id);
  await assert.rejects(push(server.store(), unrelated.path), {
    code: 'refused',
    message: /was not built on it.*--replace/s,
  });
  await pull(server.store(), follower.path);
  assertSame(builder.path, follower.path);
  const replacing = { ...pushOptions, isReplacement: true };
  await pushSnapshot(server.store(), unrelated.path, replacing);
  await pull(server.store(), follower.path);
  assertSame(unrelated.path, follower.path);
  // From now on the replaced folder is the unrelated one.
  await assert.rejects(push(server.store(), builder.path), /was not built on it/);
});

test('an earlier snapshot that the store never had is pushed after a rollback', async () => {
  await using server = await startObjectServer();
  using builder = temporaryFolder();
  const first = buildAxis(builder.path, 'file_1', rowsOf('하나'));
  buildAxis(builder.path, 'file_1', rowsOf('둘'));
  await push(server.store(), builder.path);
  pointTo(builder.path, first);
  await push(server.store(), builder.path);
  assert.equal((await pointerOf(server.store())).id, first);
});

test('a folder that pushed before it stored the last manifest goes on from what it has', async () => {
  await using server = await startObjectServer();
  using builder = temporaryFolder();
  const first = buildAxis(builder.path, 'file_1', rowsOf('하나'));
  buildAxis(builder.path, 'file_1', rowsOf('둘'));
  await push(server.store(), builder.path);
  const { snapshots } = dataPaths(builder.path);
  for (const name of readdirSync(snapshots)) {
    if (name.startsWith('.store-')) rmSync(join(snapshots, name));
  }
  pointTo(builder.path, first);
  await push(server.store(), builder.path);
  assert.equal((await pointerOf(server.store())).id, first);
});

test('a second builder does not undo the rollback of the first, and builds on it after a pull', async () => {
  await using server = await startObjectServer();
  using one = temporaryFolder();
  using other = temporaryFolder();
  const first = buildAxis(one.path, 'file_1', rowsOf('하나'));
  await push(server.store(), one.path);
  await pull(server.store(), other.path);
  buildAxis(other.path, 'file_1', rowsOf('둘'));
  await push(server.store(), other.path);
  await pull(server.store(), one.path);
  pointTo(one.path, first);
  await push(server.store(), one.path);
  await assert.rejects(push(server.store(), other.path), /was not built on it/);
  assert.equal((await pointerOf(server.store())).id, first);
  await pull(server.store(), other.path);
  const third = buildAxis(other.path, 'file_2', rowsOf('셋'));
  assert.equal((await push(server.store(), other.path)).id, third);
});

test('a builder made by a pull after a rollback pushes what it builds first', async () => {
  await using server = await startObjectServer();
  using lost = temporaryFolder();
  using builder = temporaryFolder();
  const ids = ['하나', '둘', '셋'].map((name) => buildAxis(lost.path, 'file_1', rowsOf(name)));
  await push(server.store(), lost.path);
  pointTo(lost.path, ids[0]!);
  await push(server.store(), lost.path);
  await pull(server.store(), builder.path);
  const next = buildAxis(builder.path, 'file_1', rowsOf('넷'));
  assert.ok(next > ids[2]!, 'the store has another snapshot of that id');
  assert.equal((await push(server.store(), builder.path)).id, next);
});

test('a replacement whose id the store has for another snapshot needs one more build', async () => {
  await using server = await startObjectServer();
  using one = temporaryFolder();
  using other = temporaryFolder();
  for (const name of ['하나', '둘', '셋']) {
    buildAxis(one.path, 'file_1', rowsOf(name));
    await push(server.store(), one.path);
  }
  const id = buildAxis(other.path, 'file_2', rowsOf('넷'));
  const replacing = { ...pushOptions, isReplacement: true };
  await assert.rejects(pushSnapshot(server.store(), other.path, replacing), {
    message: new RegExp(`has another snapshot ${id}`),
  });
  const next = buildAxis(other.path, 'file_2', rowsOf('다섯'));
  assert.equal((await pushSnapshot(server.store(), other.path, replacing)).id, next);
});

test('a pull goes on after the connection is cut, and after it was stopped', async () => {
  await using server = await startObjectServer();
  using builder = temporaryFolder();
  using follower = temporaryFolder();
  const rows = Array.from({ length: 20_000 }, (_, row) => [`이름 ${row * 7919}`, null]);
  buildAxis(builder.path, 'file_1', rows);
  await push(server.store(), builder.path);
  // Each object breaks off after 5,000 bytes the first time.
  const cut = new Set<string>();
  server.fault = ({ method, url }, object) => {
    if (method !== 'GET' || cut.has(url!) || (object?.length ?? 0) < 10_000) return null;
    cut.add(url!);
    return { kind: 'cut', after: 5_000 };
  };
  const facts = await pull(server.store(), follower.path);
  assert.ok(cut.size > 2);
  assert.ok(facts.bytesFetched <= sizeOf(server), 'parts were fetched twice');
  assertSame(builder.path, follower.path);

  using stopped = temporaryFolder();
  const stop = new AbortController();
  const options = { signal: stop.signal, onProgress: () => stop.abort(new Error('stopped')) };
  await assert.rejects(pullSnapshot(server.store(), stopped.path, options), /stopped/);
  assert.equal(currentId(stopped.path), null);
  assert.deepEqual(snapshotIds(stopped.path), []);
  const rest = await pull(server.store(), stopped.path);
  assert.ok(rest.objectsFetched < facts.objectsFetched);
  assertSame(builder.path, stopped.path);
});

test('a pull fetches a file whose stored copy has other bytes of the same length', async () => {
  await using server = await startObjectServer();
  using builder = temporaryFolder();
  using follower = temporaryFolder();
  const first = buildAxis(builder.path, 'file_1', rowsOf('하나'));
  await push(server.store(), builder.path);
  await pull(server.store(), follower.path);
  for (const name of ['search.bin', 'axis.json']) {
    const path = join(snapshotFolder(follower.path, first), axisFolder('file_1'), name);
    writeFileSync(path, Buffer.alloc(readFileSync(path).length));
  }
  buildAxis(builder.path, 'file_2', rowsOf('둘'));
  const { objectsWritten } = await push(server.store(), builder.path);
  const { objectsFetched } = await pull(server.store(), follower.path);
  assert.equal(objectsFetched, objectsWritten + 2);
  assertSame(builder.path, follower.path);
});

test('a pull passes over a snapshot whose manifest cannot be read', async () => {
  await using server = await startObjectServer();
  using builder = temporaryFolder();
  using follower = temporaryFolder();
  const first = buildAxis(builder.path, 'file_1', rowsOf('하나'));
  await push(server.store(), builder.path);
  await pull(server.store(), follower.path);
  mkdirSync(snapshotFolder(follower.path, '20200101-0001'));
  writeFileSync(join(snapshotFolder(follower.path, first), 'manifest.json'), '{"formatV');
  buildAxis(builder.path, 'file_2', rowsOf('둘'));
  await push(server.store(), builder.path);
  await pull(server.store(), follower.path);
  assertSame(builder.path, follower.path);
});

test('a pull removes what a killed pull or removal left behind', async () => {
  await using server = await startObjectServer();
  using builder = temporaryFolder();
  using follower = temporaryFolder();
  buildAxis(builder.path, 'file_1', rowsOf('하나'));
  await push(server.store(), builder.path);
  const { snapshots } = dataPaths(follower.path);
  mkdirSync(join(snapshots, `${unfinishedPrefix}killed`, 'axes'), { recursive: true });
  await pull(server.store(), follower.path);
  const names = readdirSync(snapshots).filter((name) => name.startsWith(unfinishedPrefix));
  assert.deepEqual(names, []);
});

test('an object that never ends is refused after the length that it may have', async () => {
  using folder = temporaryFolder();
  let sent = 0;
  async function* endless() {
    for (; ; sent += 65_536) yield Buffer.alloc(65_536);
  }
  const store: ObjectStore = Object.create(new FolderStore(folder.path), {
    open: { value: async () => ({ from: 0, body: endless() }) },
  });
  const facts = { bytes: 100, sha256: '0'.repeat(64) };
  await assert.rejects(fetchObject(store, 'records.json', facts, folder.path), {
    code: 'wrong_bytes',
  });
  assert.ok(sent < 1_000_000);
  assert.deepEqual(readdirSync(folder.path), []);
});

test('an object that starts again after each break is fetched, however much the breaks sum up to', async () => {
  using folder = temporaryFolder();
  const bytes = randomBytes(300_000);
  let opened = 0;
  async function* body() {
    const isLast = ++opened === 5;
    yield isLast ? bytes : bytes.subarray(0, 200_000);
    if (!isLast) throw new StoreFault('unreachable', 'The connection broke.');
  }
  const store: ObjectStore = Object.create(new FolderStore(folder.path), {
    open: { value: async () => ({ from: 0, body: body() }) },
  });
  const facts = { bytes: bytes.length, sha256: sha256(bytes) };
  const path = packedParquetPath('file_1');
  assert.equal(await fetchObject(store, path, facts, folder.path), 1_100_000);
  assert.deepEqual(readFileSync(join(folder.path, facts.sha256)), bytes);
});

test('an object that never ends is refused although an earlier try stored a part of it', async () => {
  using folder = temporaryFolder();
  const facts = { bytes: 100, sha256: '0'.repeat(64) };
  writeFileSync(join(folder.path, `${facts.sha256}.part`), Buffer.alloc(60_000));
  const sent: number[] = [];
  async function* endless() {
    for (const at = sent.push(0) - 1; ; sent[at]! += 1_000) yield Buffer.alloc(1_000);
  }
  const store: ObjectStore = Object.create(new FolderStore(folder.path), {
    open: {
      value: async (_: string, { from }: { from: number }) => ({ from, body: endless() }),
    },
  });
  await assert.rejects(fetchObject(store, 'records.json', facts, folder.path), {
    code: 'wrong_bytes',
  });
  assert.ok(sent[0]! < 10_000, `${sent[0]} bytes beside the stored ones`);
});

const broken: readonly (readonly [string, RegExp, (key: string) => Fault | null])[] = [
  [
    'refused',
    /the answer to .* is 403 \(AccessDenied\)/,
    () => ({ kind: 'status', status: 403, code: 'AccessDenied' }),
  ],
  [
    'wrong_bytes',
    /objects\/.* has other bytes than its hash/,
    (key) => (key.includes('/objects/') ? { kind: 'bytes', bytes: Buffer.from('other') } : null),
  ],
  [
    'wrong_bytes',
    /manifest-.* has other bytes than its hash/,
    (key) => (key.includes('/manifest-') ? { kind: 'bytes', bytes: Buffer.from('{}') } : null),
  ],
  [
    'missing_object',
    /points to snapshot .*, but .* is not there/,
    (key) =>
      key.includes('/manifest-') ? { kind: 'status', status: 404, code: 'NoSuchKey' } : null,
  ],
  [
    'missing_object',
    /objects\/.* is not there/,
    (key) =>
      key.includes('/objects/') ? { kind: 'status', status: 404, code: 'NoSuchKey' } : null,
  ],
  [
    'slow',
    /no answer to .* for 0.2 s/,
    (key) => (key.includes('/objects/') ? { kind: 'silent', after: 3 } : null),
  ],
  [
    'slow',
    /objects\/.* (?:comes at less than 10 kB a second|for 0.2 s)/,
    (key) => (key.includes('/objects/') ? { kind: 'drip' } : null),
  ],
  ['unreachable', /503 \(SlowDown\)/, () => ({ kind: 'status', status: 503, code: 'SlowDown' })],
  [
    'newer_format',
    /has format 2; this version reads 1/,
    (key) =>
      key.endsWith('/current') ? { kind: 'bytes', bytes: Buffer.from('{"format":2}') } : null,
  ],
  [
    'unreadable',
    /current is no pointer/,
    (key) => (key.endsWith('/current') ? { kind: 'bytes', bytes: Buffer.from('<html>') } : null),
  ],
];

test('a pull with a fault of the store keeps what is there, names the fault, and then recovers', async () => {
  await using server = await startObjectServer();
  using builder = temporaryFolder();
  using follower = temporaryFolder();
  const first = buildAxis(builder.path, 'file_1', rowsOf('하나'));
  await push(server.store(), builder.path);
  await pull(server.store(), follower.path);
  buildAxis(builder.path, 'file_1', rowsOf('둘'));
  await push(server.store(), builder.path);
  for (const [code, sentence, fault] of broken) {
    server.fault = ({ url }) => fault(url!);
    const store = server.store(code === 'slow' ? 200 : undefined);
    await assert.rejects(pull(store, follower.path), (error: Error) => {
      assert.match(error.message, sentence);
      assert.equal('code' in error && error.code, code);
      assert.doesNotMatch(error.message, /test-(?:key|secret)|127\.0\.0\.1/);
      return true;
    });
    assert.equal(currentId(follower.path), first, code);
    verify(follower.path);
  }
  server.fault = () => null;
  await pull(server.store(), follower.path);
  assertSame(builder.path, follower.path);
});

test('a temporary refusal is tried again', async () => {
  await using server = await startObjectServer();
  using builder = temporaryFolder();
  using follower = temporaryFolder();
  buildAxis(builder.path, 'file_1', rowsOf('하나'));
  let requests = 0;
  server.fault = () =>
    ++requests % 3 === 0 ? { kind: 'status', status: 503, code: 'SlowDown' } : null;
  await push(server.store(), builder.path);
  await pull(server.store(), follower.path);
  assertSame(builder.path, follower.path);
});

test('a snapshot that the disk has no room for is refused before it is fetched', async () => {
  using builder = temporaryFolder();
  using follower = temporaryFolder();
  const store = new FolderStore(join(builder.path, 'store'));
  const id = buildAxis(builder.path, 'file_1', rowsOf('하나'));
  await push(store, builder.path);
  const manifest = readManifest(builder.path, id);
  const [path] = Object.keys(manifest.files);
  const facts = { bytes: 2 ** 52, sha256: 'a'.repeat(64) };
  await pushManifest(store, { ...manifest, files: { ...manifest.files, [path!]: facts } });
  await assert.rejects(pull(store, follower.path), /needs 4503599628 MB .*, and \d+ MB are free/);
});

test('a manifest whose path leaves the folder, or of a newer format, is refused', async () => {
  using builder = temporaryFolder();
  using follower = temporaryFolder();
  const store = new FolderStore(join(builder.path, 'store'));
  const id = buildAxis(builder.path, 'file_1', rowsOf('하나'));
  await push(store, builder.path);
  const manifest = readManifest(builder.path, id);
  for (const path of ['../current', 'axes/../../x', '/etc/x', 'axes//x', 'manifest.json', '.x']) {
    const files = { [path]: { bytes: 1, sha256: 'a'.repeat(64) } };
    await pushManifest(store, { ...manifest, files });
    await assert.rejects(pull(store, follower.path), /is no manifest/, path);
  }
  await pushManifest(store, { ...manifest, formatVersion: 99 });
  await assert.rejects(pull(store, follower.path), /has format 99; this version reads/);
  assert.deepEqual(snapshotIds(follower.path), []);
});

test('a second pusher gives way while the first one writes, and to a newer snapshot', async () => {
  await using server = await startObjectServer();
  using one = temporaryFolder();
  using other = temporaryFolder();
  buildAxis(one.path, 'file_1', rowsOf('하나'));
  buildAxis(other.path, 'file_1', rowsOf('둘'));
  let isSecondRefused = false;
  let hasBegun = false;
  const store = server.store();
  const slow: ObjectStore = Object.assign(server.store(), {
    async write(...given: Parameters<ObjectStore['write']>): Promise<void> {
      if (!hasBegun) {
        hasBegun = true;
        await assert.rejects(push(server.store(), other.path), /Another machine writes to/);
        isSecondRefused = true;
      }
      await store.write(...given);
    },
  });
  const { id } = await push(slow, one.path);
  assert.ok(isSecondRefused);
  await assert.rejects(
    push(server.store(), other.path),
    /has snapshot .* from another data folder/,
  );
  // Once the second has pulled, what it builds comes after.
  buildAxis(one.path, 'file_1', rowsOf('셋'));
  await push(server.store(), one.path);
  using third = temporaryFolder();
  await pull(server.store(), third.path);
  buildAxis(third.path, 'file_1', rowsOf('넷'));
  const last = await push(server.store(), third.path);
  assert.ok(last.id > id);
  assert.equal((await pointerOf(server.store())).id, last.id);
});

test('a pusher whose lease was taken over does not move the pointer', async () => {
  await using server = await startObjectServer();
  using one = temporaryFolder();
  using other = temporaryFolder();
  buildAxis(one.path, 'file_1', rowsOf('하나'));
  buildAxis(other.path, 'file_1', rowsOf('둘'));
  const store = server.store();
  let others: { readonly id: string } | null = null;
  const overtaken: ObjectStore = Object.assign(server.store(), {
    async write(...given: Parameters<ObjectStore['write']>): Promise<void> {
      if (others === null) {
        await endLease(store);
        others = await push(server.store(), other.path);
      }
      await store.write(...given);
    },
  });
  await assert.rejects(push(overtaken, one.path), /Another machine has begun to write/);
  const pointer = await pointerOf(store);
  assert.equal(pointer.id, others!.id);
  assert.equal(pointer.snapshots.length, 1);
  // The objects of the push that gave way are known, and removed in time.
  assert.deepEqual(
    pointer.dropped.map(({ id }) => id),
    [others!.id],
  );
});

test('the same folder goes on with its push at once after it was stopped', async () => {
  await using server = await startObjectServer();
  using builder = temporaryFolder();
  buildAxis(builder.path, 'file_1', rowsOf('하나'));
  let writes = 0;
  const store = server.store();
  const dying: ObjectStore = Object.assign(server.store(), {
    async write(...given: Parameters<ObjectStore['write']>): Promise<void> {
      if (++writes === 3) throw new Error('killed');
      await store.write(...given);
    },
    // Nothing is written after the end of the process.
    async replace(...given: Parameters<ObjectStore['replace']>): Promise<string | null> {
      if (writes >= 3) throw new Error('killed');
      return store.replace(...given);
    },
  });
  await assert.rejects(push(dying, builder.path), /killed/);
  assert.equal((await pointerOf(store)).id, null);
  assert.notEqual((await pointerOf(store)).lease, null);
  const { id } = await push(store, builder.path);
  const pointer = await pointerOf(store);
  assert.deepEqual([pointer.id, pointer.lease, pointer.dropped], [id, null, []]);
});

test('a push that fails after the pointer was replaced reports that followers switch', async () => {
  await using server = await startObjectServer();
  using builder = temporaryFolder();
  const id = buildAxis(builder.path, 'file_1', rowsOf('하나'));
  server.fault = ({ method, url }) =>
    method === 'PUT' && /datapackage/.test(url!)
      ? { kind: 'status', status: 403, code: 'AccessDenied' }
      : null;
  await assert.rejects(push(server.store(), builder.path), {
    code: 'refused',
    message: new RegExp(`^${id} is pushed, and followers of .* switch to it.*AccessDenied`),
  });
  assert.equal((await pointerOf(server.store())).id, id);
  server.fault = () => null;
  assert.equal((await push(server.store(), builder.path)).objectsWritten, 0);
});

test('cleaning removes the objects that no kept snapshot has, after their grace, and no other', async () => {
  await using server = await startObjectServer();
  using builder = temporaryFolder();
  const store = server.store();
  for (const name of ['하나', '둘', '셋', '넷']) {
    buildAxis(builder.path, 'file_1', rowsOf(name));
    await push(store, builder.path);
  }
  const before = server.objects.size;
  const id = writerId(builder.path);
  const first = await cleanStore(store, id, { keep: 2, graceMs: 3_600_000 });
  assert.deepEqual([first.dropped.length, first.objectsRemoved], [2, 0]);
  assert.equal(server.objects.size, before);
  const second = await cleanStore(store, id, { keep: 2, graceMs: 0 });
  assert.equal(second.dropped.length, 0);
  assert.ok(second.objectsRemoved > 0 && server.objects.size < before);
  assert.equal((await pointerOf(store)).dropped.length, 0);
  // Both snapshots that stay can be fetched whole.
  const { snapshots } = await pointerOf(store);
  for (const { id: kept } of snapshots) {
    using follower = temporaryFolder();
    const { pointer, tag } = await taggedPointer(store);
    await replacePointer(store, { ...pointer, id: kept }, tag);
    await pull(store, follower.path);
    verify(follower.path);
  }
});

test('cleaning removes the objects of a push that was given up', async () => {
  await using server = await startObjectServer();
  using one = temporaryFolder();
  using other = temporaryFolder();
  buildAxis(one.path, 'file_1', rowsOf('하나'));
  const { id } = await push(server.store(), one.path);
  const whole = new Set(server.objects.keys());
  await pull(server.store(), other.path);
  buildAxis(other.path, 'file_1', rowsOf('둘'));
  server.fault = ({ method, url }) =>
    method === 'PUT' && /parquet/.test(url!)
      ? { kind: 'status', status: 403, code: 'AccessDenied' }
      : null;
  await assert.rejects(push(server.store(), other.path), /AccessDenied/);
  server.fault = () => null;
  assert.ok(server.objects.size > whole.size);
  await cleanStore(server.store(), writerId(one.path), { keep: 5, graceMs: 0 });
  assert.deepEqual(new Set(server.objects.keys()), whole);
  assert.equal((await pointerOf(server.store())).id, id);
});

test('a push again repairs an object with wrong bytes, and refuses a damaged folder', async () => {
  await using server = await startObjectServer();
  using builder = temporaryFolder();
  using follower = temporaryFolder();
  const id = buildAxis(builder.path, 'file_1', rowsOf('하나'));
  await push(server.store(), builder.path);
  const key = [...server.objects.keys()].find((each) => each.includes('/objects/'))!;
  server.objects.set(key, Buffer.from('other'));
  await assert.rejects(pull(server.store(), follower.path), /push --again/);
  await pushSnapshot(server.store(), builder.path, { ...pushOptions, isAgain: true });
  await pull(server.store(), follower.path);
  assertSame(builder.path, follower.path);
  assert.equal(currentId(follower.path), id);
});

test('a folder keeps a snapshot of its own under the same id, unless the pull replaces it', async () => {
  using builder = temporaryFolder();
  using follower = temporaryFolder();
  const store = new FolderStore(join(builder.path, 'store'));
  buildAxis(builder.path, 'file_1', rowsOf('하나'));
  buildAxis(follower.path, 'file_1', rowsOf('다른'));
  await push(store, builder.path);
  await assert.rejects(pull(store, follower.path), /has another snapshot .* than the store/);
  await pullSnapshot(store, follower.path, { isReplacement: true });
  assertSame(builder.path, follower.path);
});

const pushOptions = { keep: 5, graceMs: 86_400_000, isAgain: false };

function push(store: ObjectStore, data: string): ReturnType<typeof pushSnapshot> {
  return pushSnapshot(store, data, pushOptions);
}

async function pull(store: ObjectStore, data: string): Promise<PullFacts> {
  const facts = await pullSnapshot(store, data);
  assert.notEqual(facts, 'unchanged');
  return facts as PullFacts;
}

function rowsOf(name: string): readonly (readonly string[])[] {
  return Array.from({ length: 30 }, (_, row) => [`${name} ${row}`, '주차장']);
}

/** Asserts that two folders have the same current snapshot, with the same bytes. */
function assertSame(one: string, other: string): void {
  const id = currentId(one)!;
  assert.equal(currentId(other), id);
  verify(other);
  const paths = ['manifest.json', ...Object.keys(readManifest(one, id).files)];
  for (const path of paths) {
    const [bytes, otherBytes] = [one, other].map((data) =>
      readFileSync(join(snapshotFolder(data, id), path)),
    );
    assert.ok(bytes!.equals(otherBytes!), path);
  }
  const { length } = readdirSync(snapshotFolder(other, id), { recursive: true });
  assert.equal(length, readdirSync(snapshotFolder(one, id), { recursive: true }).length);
  assert.ok(!existsSync(join(other, 'snapshots', '.pull')));
}

function verify(data: string): void {
  const id = currentId(data)!;
  verifyFolder(snapshotFolder(data, id), readManifest(data, id), { hashes: true });
}

function sizeOf({ objects }: ObjectServer): number {
  return objects.values().reduce((sum, { length }) => sum + length, 0);
}

async function taggedPointer(store: ObjectStore): Promise<{ pointer: Pointer; tag: string }> {
  const stored = await readPointer(store);
  assert.ok(stored !== null && stored !== 'unchanged');
  return stored;
}

async function pointerOf(store: ObjectStore): Promise<Pointer> {
  return (await taggedPointer(store)).pointer;
}

/** Ends the lease of a writer as time would. */
async function endLease(store: ObjectStore): Promise<void> {
  const { pointer, tag } = await taggedPointer(store);
  const until = new Date(0).toISOString();
  await replacePointer(store, { ...pointer, lease: { ...pointer.lease!, until } }, tag);
}

/** Points a store to a manifest of our own. */
async function pushManifest(store: ObjectStore, manifest: Manifest): Promise<void> {
  const bytes = Buffer.from(JSON.stringify(manifest));
  const pushed = { id: manifest.id, manifest: sha256(bytes), pushedAt: new Date(0).toISOString() };
  await store.write(manifestKey(pushed), { bytes });
  const { pointer, tag } = await taggedPointer(store);
  await replacePointer(store, { ...pointer, id: pushed.id, snapshots: [pushed] }, tag);
}
