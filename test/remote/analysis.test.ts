import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { openDuckdb } from '../../bench/duckdb.ts';
import { FolderStore } from '../../src/data/remote/folder-store.ts';
import { pushSnapshot } from '../../src/data/remote/push.ts';
import { buildAxis, testFields } from '../build-axis.ts';
import { copyFirstStart } from '../fixtures/first-start.ts';
import { isLongForm } from '../long-form.ts';
import { temporaryFolder } from '../temporary-folder.ts';

test('a push lists the Parquet files of its snapshot with columns, titles, rows and hashes', async () => {
  using folder = temporaryFolder();
  const [data, store] = [join(folder.path, 'data'), join(folder.path, 'store')];
  const [name, note] = testFields;
  const fields = [
    { ...name!, label: '시설명' },
    { ...note!, type: 'integer' as const },
  ];
  const rows = [
    ['가람', '1'],
    ['나루', '-'],
  ];
  buildAxis(data, 'file_1', rows, null, fields);
  await push(store, data);
  const id = buildAxis(data, 'file_2', rows, null, fields, { keyFields: ['이름'] });
  await push(store, data);
  const { version, resources } = readPackage(store);
  assert.equal(version, id);
  assert.deepEqual(
    resources.map((each) => each.name),
    ['file_1', 'file_2'],
  );
  for (const { path, bytes, hash } of resources) {
    assert.equal(readFileSync(join(store, path)).length, bytes);
    assert.ok(path.endsWith(`/${hash.replace('sha256:', '')}.parquet`));
  }
  const { schema, rows: count, format, title } = resources[1]!;
  assert.deepEqual([count, format, title], [2, 'parquet', '시험 file_2']);
  assert.deepEqual(schema, {
    fields: [
      { name: '이름', type: 'string', title: '시설명' },
      { name: '비고', type: 'integer', title: '비고' },
      { name: '비고_text', type: 'string', title: '비고 (원문)' },
    ],
    primaryKey: ['이름'],
  });
});

if (isLongForm) {
  test('the statements of the guide have results in DuckDB over a store', async () => {
    using folder = temporaryFolder();
    const [data, store] = [join(folder.path, 'data'), join(folder.path, 'store')];
    await copyFirstStart(data);
    await push(store, data);
    using duckdb = await openDuckdb();
    for (const language of ['en', 'ko']) {
      const guide = readFileSync(
        resolve(import.meta.dirname, `../../docs/${language}/analysis.md`),
        'utf8',
      );
      for (const [, name, block] of guide.matchAll(/```sql ([\w-]+)\n([^]*?)```/g)) {
        if (name === 'analysis-secret') continue;
        const sql = block!
          .replace('https://data.example.org/maru', store)
          .replace('CREATE MACRO', 'CREATE OR REPLACE MACRO');
        for (const statement of sql.split(/;\n/).filter((part) => part.trim() !== '')) {
          const rows = await duckdb.run(statement);
          if (/^\s*SELECT/.test(statement)) assert.ok(rows.length > 3, name);
        }
      }
    }
  });
}

interface DataPackage {
  readonly version: string;
  readonly resources: readonly {
    readonly name: string;
    readonly title: string;
    readonly path: string;
    readonly format: string;
    readonly bytes: number;
    readonly hash: string;
    readonly rows: number;
    readonly schema: object;
  }[];
}

function readPackage(store: string): DataPackage {
  return JSON.parse(readFileSync(join(store, 'datapackage.json'), 'utf8')) as DataPackage;
}

async function push(store: string, data: string): Promise<void> {
  const options = { keep: 5, graceMs: 86_400_000, isAgain: false };
  await pushSnapshot(new FolderStore(store), data, options);
}
