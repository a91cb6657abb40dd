import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { get, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import XLSX from '@e965/xlsx';
import fc from 'fast-check';
import { parquetReadObjects } from 'hyparquet';
import { buildAxis } from '../../../test/build-axis.ts';
import { fixtureStore, fixtureToday } from '../../../test/fixtures/lookup.ts';
import { compressors } from '../../../test/parquet-compressors.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { createServerContext } from '../../kernel/http/server-context.ts';
import { startServer } from '../../kernel/http/server.ts';
import { silentLog } from '../../kernel/log.ts';
import { createLookupApp } from '../app.ts';
import { StoreHolder } from '../current-store.ts';
import { refuseFormat, refuseLength } from '../exports/refuse-format.ts';
import { SnapshotStore } from '../store/snapshot.ts';
import type { LookupStore } from '../store/store.ts';

async function serve(store: LookupStore) {
  const holder = new StoreHolder();
  void holder.replace(store);
  const settings = { MARU_BASE_URL: null };
  const server = createServerContext(silentLog);
  const router = createLookupApp({ holder, settings, server, today: () => fixtureToday });
  const started = await startServer({ router, host: '127.0.0.1', port: 0 });
  return {
    holder,
    address: started.address,
    fetch: (path: string, headers: OutgoingHttpHeaders = {}, method = 'GET') =>
      fetchFrom(started.address + path, headers, method),
    [Symbol.asyncDispose]: () => started[Symbol.asyncDispose](),
  };
}

async function fetchFrom(url: string, headers: OutgoingHttpHeaders, method: string) {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  get(url, { headers, method, agent: false }, resolve).on('error', reject);
  const message = await promise;
  return { message, headers: message.headers, body: await buffer(message) };
}

function digest(bytes: Buffer): string {
  return `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:`;
}

const tableRows = Array.from({ length: 3_000 }, (_, at) => [
  `도서관 ${Math.sin(at)}`,
  at % 3 ? '가' : null,
]);

test('a stored file has its length and digest, and parts of it make the whole', async () => {
  using data = temporaryFolder();
  const id = buildAxis(data.path, 'file_1', tableRows);
  await using server = await serve(new SnapshotStore(data.path, id));
  const path = '/api/export/file_1.parquet';
  const whole = await server.fetch(path, { 'Accept-Encoding': 'gzip' });
  const { length } = whole.body;
  assert.equal(whole.message.statusCode, 200);
  assert.equal(whole.headers['content-length'], String(length));
  assert.equal(whole.headers['accept-ranges'], 'bytes');
  assert.equal(whole.headers['repr-digest'], digest(whole.body));
  assert.equal(whole.headers['content-type'], 'application/vnd.apache.parquet');
  const file = new Uint8Array(whole.body).buffer;
  const records = await parquetReadObjects({ file, compressors });
  assert.deepEqual(
    records.map((record) => Object.values(record)),
    tableRows,
  );

  const etag = whole.headers.etag!;
  const parts: Buffer[] = [];
  for (let start = 0; start < length; start += 10_000) {
    const part = await server.fetch(path, {
      Range: `bytes=${start}-${start + 9_999}`,
      'If-Range': etag,
    });
    assert.equal(part.message.statusCode, 206);
    assert.equal(part.headers['repr-digest'], digest(whole.body));
    const end = Math.min(start + 10_000, length) - 1;
    assert.equal(part.headers['content-range'], `bytes ${start}-${end}/${length}`);
    parts.push(part.body);
  }
  assert.deepEqual(Buffer.concat(parts), whole.body);
  for (const headers of [
    { Range: 'bytes=0-9', 'If-Range': '"other"' },
    { Range: 'bytes=0-9', 'If-Range': `W/${etag}` },
    { Range: 'bytes=0-3,5-9' },
  ]) {
    const { message } = await server.fetch(path, headers);
    assert.equal(message.statusCode, 200, JSON.stringify(headers));
  }
  const dated = { Range: 'bytes=0-3', 'If-Range': whole.headers['last-modified'] };
  assert.equal((await server.fetch(path, dated)).body.toString(), 'PAR1');
  const past = await server.fetch(path, { Range: `bytes=${length}-` });
  assert.equal(past.message.statusCode, 416);
  assert.equal(past.headers['content-range'], `bytes */${length}`);
  assert.match(past.body.toString(), /range_not_satisfiable/);
  const same = await server.fetch(path, { 'If-None-Match': etag });
  assert.equal(same.message.statusCode, 304);
  const head = await server.fetch(path, { Range: 'bytes=0-9' }, 'HEAD');
  assert.deepEqual([head.message.statusCode, head.body.length], [200, 0]);
  assert.equal(head.headers['content-length'], String(length));
});

test('a text export is compressed as the client accepts; its digest is of the compressed bytes', async () => {
  await using server = await serve(fixtureStore());
  const path = '/api/export/file_15012896.ndjson';
  for (const target of [path, `${path}?sido=11`]) {
    const plain = await server.fetch(target);
    const packed = await server.fetch(target, { 'Accept-Encoding': 'gzip' });
    assert.equal(packed.headers['content-encoding'], 'gzip');
    assert.deepEqual(gunzipSync(packed.body), plain.body);
    const { headers, message } = packed;
    assert.equal(headers['repr-digest'] ?? message.trailers['repr-digest'], digest(packed.body));
    assert.notEqual(packed.headers.etag, plain.headers.etag);
    const again = { 'Accept-Encoding': 'gzip', 'If-None-Match': packed.headers.etag };
    assert.equal((await server.fetch(target, again)).message.statusCode, 304);
  }
});

test('whole text files and workbooks have a length, a digest and ranges of the same bytes', async () => {
  using data = temporaryFolder();
  const id = buildAxis(data.path, 'file_1', tableRows);
  await using server = await serve(new SnapshotStore(data.path, id));
  for (const file of ['csv', 'csv?header=label&bom=0', 'ndjson', 'xlsx']) {
    const path = `/api/export/file_1.${file}`;
    const whole = await server.fetch(path);
    const { length } = whole.body;
    assert.equal(whole.headers['content-length'], String(length), file);
    assert.equal(whole.headers['accept-ranges'], 'bytes');
    assert.equal(whole.headers['repr-digest'], digest(whole.body));
    const head = await server.fetch(path, {}, 'HEAD');
    assert.equal(head.headers['content-length'], String(length));
    await fc.assert(
      fc.asyncProperty(fc.nat(length - 1), fc.nat(length), async (start, size) => {
        const Range = `bytes=${start}-${start + size}`;
        // Without `If-Range` a part is sent uncompressed, so that it can be read alone.
        const part = await server.fetch(path, { Range, 'Accept-Encoding': 'gzip' });
        assert.equal(part.message.statusCode, 206);
        assert.equal(part.headers['content-encoding'], undefined);
        assert.deepEqual(part.body, whole.body.subarray(start, start + size + 1));
      }),
      { numRuns: 12 },
    );
    assert.equal((await server.fetch(path, { Range: `bytes=${length}-` })).message.statusCode, 416);
  }
});

test('a compressed whole file has a length, and an interrupted download of it is resumed', async () => {
  using data = temporaryFolder();
  const id = buildAxis(data.path, 'file_1', tableRows);
  await using server = await serve(new SnapshotStore(data.path, id));
  const path = '/api/export/file_1.csv';
  for (const coding of ['gzip', 'br', 'zstd']) {
    const accepted = { 'Accept-Encoding': coding };
    const whole = await server.fetch(path, accepted);
    assert.equal(whole.headers['content-encoding'], coding);
    assert.equal(whole.headers['content-length'], String(whole.body.length));
    assert.equal(whole.headers['repr-digest'], digest(whole.body));
    const condition = { Range: 'bytes=1000-', 'If-Range': whole.headers.etag };
    const rest = await server.fetch(path, { ...accepted, ...condition });
    assert.equal(rest.message.statusCode, 206);
    assert.equal(rest.headers['content-encoding'], coding);
    assert.deepEqual(rest.body, whole.body.subarray(1_000));
  }
});

test('concurrent requests for one file read its records once for the length, then once each', async () => {
  const store = fixtureStore();
  await using server = await serve(store);
  const path = '/api/export/file_15012896.csv';
  const answers = await Promise.all(Array.from({ length: 5 }, () => server.fetch(path)));
  for (const { headers, body } of answers) {
    assert.equal(headers['content-length'], String(body.length));
  }
  assert.equal(store.reads, 6);
});

test('all formats of an axis have the same records', async () => {
  await using server = await serve(fixtureStore());
  const fetched = async (format: string) =>
    (await server.fetch(`/api/export/file_15012896.${format}`)).body;
  const lines = (await fetched('ndjson')).toString().trimEnd().split('\n');
  const records = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  const collection = JSON.parse((await fetched('geojson')).toString()) as {
    total: number;
    features: { properties: object; geometry: object | null }[];
  };
  assert.equal(collection.total, records.length);
  assert.deepEqual(
    collection.features.map(({ properties }) => properties),
    records,
  );
  assert.ok(collection.features.some(({ geometry }) => geometry !== null));
  const book = XLSX.read(await fetched('xlsx'));
  const rows = XLSX.utils.sheet_to_json<unknown[]>(book.Sheets[book.SheetNames[0]!]!, {
    header: 1,
    defval: null,
    raw: true,
  });
  assert.equal(rows.length, records.length + 1);
  const file = new Uint8Array(await fetched('parquet')).buffer;
  const typed = await parquetReadObjects({ file, compressors });
  const name = Object.keys(records[0]!)[0]!;
  assert.deepEqual(
    typed.map((record) => String(record[`${name}_text`] ?? record[name])),
    records.map((record) => String(record[name])),
  );
});

test('geojson without coordinates and xlsx beyond the limits of a sheet are refused', () => {
  const stats = { maxLength: 32_767 };
  const fields = [{ name: '비고', stats }] as unknown as Parameters<
    typeof refuseFormat
  >[1]['fields'];
  const axis = { fields, hasCoordinates: true };
  const code = { code: 'format_unsuitable' };
  refuseLength('xlsx', 1_048_575);
  assert.throws(() => refuseLength('xlsx', 1_048_576), code);
  refuseLength('csv', 1_048_576);
  refuseFormat('geojson', axis);
  assert.throws(() => refuseFormat('geojson', { ...axis, hasCoordinates: false }), code);
  refuseFormat('xlsx', axis);
  stats.maxLength++;
  assert.throws(() => refuseFormat('xlsx', axis), code);
  stats.maxLength--;
  const wide = { ...axis, fields: Array.from({ length: 16_381 }, () => fields[0]!) };
  assert.throws(() => refuseFormat('xlsx', wide), code);
});

test('a client that closes during a download releases the snapshot', async () => {
  using data = temporaryFolder();
  const id = buildAxis(data.path, 'file_1', tableRows);
  for (const [path, headers] of [
    ['/api/export/file_1.parquet', {}],
    ['/api/export/file_1.xlsx', {}],
    [`/api/export/file_1.ndjson?sort=${encodeURIComponent('이름')}`, {}],
    ['/api/export/file_1.csv', { 'Accept-Encoding': 'zstd' }],
  ] as const) {
    const store = new SnapshotStore(data.path, id);
    await using server = await serve(store);
    const { promise, resolve } = Promise.withResolvers<IncomingMessage>();
    const client = get(server.address + path, { agent: false, headers }, resolve);
    client.on('error', () => {});
    const message = await promise;
    message.on('error', () => {});
    client.destroy();
    // Ends only when the lease of the download has ended.
    await server.holder.replace(fixtureStore('20261122-0001'));
  }
});
