import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { RawStore } from './raw-store.ts';

test('what was appended is read again, and found again by whoever has no index', () => {
  using folder = storeFolder();
  const places = [];
  {
    using store = new RawStore(folder.path);
    for (let at = 0; at < 20; at++) places.push(store.append(answer(at)));
    store.sync();
  }
  using store = new RawStore(folder.path);
  assert.deepEqual(
    places.map((place) => Buffer.from(store.read(place).body).toString()),
    Array.from({ length: 20 }, (_, at) => answer(at).body.toString()),
  );
  const found = Array.from(store.recover(new Map()), ({ key }) => key);
  assert.deepEqual(
    found,
    places.map((_, at) => `q${at}#0`),
  );
  const end = places[9]!.offset + places[9]!.bytes;
  assert.equal(Array.from(store.recover(new Map([[1, end]]))).length, 10);
});

test('a torn end is cut off wherever it was torn, and writing goes on behind the last whole answer', () => {
  using folder = storeFolder();
  let whole = 0;
  {
    using store = new RawStore(folder.path);
    store.append(answer(1));
    whole = statSync(join(folder.path, '0001.raw')).size;
    store.append(answer(2));
  }
  const path = join(folder.path, '0001.raw');
  const bytes = readFileSync(path);
  for (let size = bytes.length - 1; size > whole; size -= 3) {
    truncateSync(path, whole);
    appendFileSync(path, bytes.subarray(whole, size));
    using store = new RawStore(folder.path);
    assert.equal(Array.from(store.recover(new Map())).length, 1);
    assert.equal(statSync(path).size, whole);
    const place = store.append(answer(3));
    assert.equal(place.offset, whole);
    assert.equal(store.read(place).key, 'q3#0');
  }
});

test('a damaged answer is refused, not read as another', () => {
  using folder = storeFolder();
  using store = new RawStore(folder.path);
  const place = store.append(answer(1));
  assert.throws(() => store.read({ ...place, bytes: place.bytes - 1 }), /damaged/);
  assert.throws(() => store.read({ ...place, offset: 4 }), /damaged/);
});

function answer(at: number) {
  return { key: `q${at}#0`, status: 200, body: Buffer.from(`답 ${at} `.repeat(at + 1)) };
}

function storeFolder() {
  const path = mkdtempSync(join(tmpdir(), 'maru-raw-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true }) };
}
