import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { isLongForm } from '../../../test/long-form.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { zipOf } from '../../../test/zip-of.ts';
import type { Row } from '../../data/axis.ts';
import type { OpenedPart } from '../../data/snapshot/opened-part.ts';
import { OpenedSnapshot } from '../../data/snapshot/opened.ts';
import { currentId } from '../../data/snapshot/snapshots.ts';
import { loadFiles } from './load.ts';

const table = fc.record({
  title: fc.constantFrom('약국 현황', '병원 현황', '2024년 실적'),
  columns: fc.constantFrom(['이름', '전화'], ['이름', '주소', '비고'], ['기관명', '전화번호']),
  rows: fc.integer({ min: 2, max: 4 }),
});
const file = fc.record({
  title: fc.constantFrom('자료', '현황', 'file_15090165_약국', '서울특별시_공장 현황'),
  format: fc.constantFrom('.csv', '.zip', '.json'),
  tables: fc.array(table, { minLength: 1, maxLength: 4 }),
});
const folder = fc.uniqueArray(file, {
  minLength: 1,
  maxLength: 4,
  selector: ({ title, format }) => title + format,
});

test('of random files with several tables, every cell is once in an axis, in its column', async () => {
  const property = fc.asyncProperty(folder, async (files) => {
    using scratch = temporaryFolder();
    const [source, data] = [join(scratch.path, 'files'), join(scratch.path, 'var')];
    mkdirSync(source);
    const written: string[] = [];
    const newCell = (column: string): string => {
      const cell = `칸${written.length}`;
      written.push(`${column} ${cell}`);
      return cell;
    };
    for (const each of files) {
      const tables = each.tables.map(({ rows, ...rest }) => ({
        ...rest,
        rows: Array.from({ length: rows }, () => rest.columns.map(newCell)),
      }));
      writeFileSync(join(source, each.title + each.format), contentOf[each.format]!(tables));
    }
    const report = await loadFiles(data, [source]);
    assert.deepEqual(report.notHeld, []);
    using opened = OpenedSnapshot.open(data, currentId(data)!);
    const stored = [...opened.axes.keys()].flatMap((code) => cellsOf(opened.part(code)));
    assert.deepEqual(stored.sort(), written.sort());
    assert.equal(new Set(report.axes.map(({ code }) => code)).size, report.axes.length);
  });
  await fc.assert(property, { numRuns: isLongForm ? 500 : 8 });
});

/** The cells of all records, each behind the name of its column. */
function cellsOf({ records }: OpenedPart): string[] {
  const all = JSON.parse(`[${records.page(0, records.count).items.toString()}]`) as Row[];
  return all.flatMap((record) =>
    Object.entries(record).flatMap(([column, value]) =>
      /^칸\d+$/.test(String(value)) ? [`${column} ${value}`] : [],
    ),
  );
}

interface WrittenTable {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const contentOf: Readonly<Record<string, (tables: readonly WrittenTable[]) => string | Buffer>> = {
  '.csv': (tables) => tables.map(csvOf).join('\n'),
  '.zip': (tables) =>
    zipOf(tables.map((each, at) => ({ name: `${at}/${each.title}.csv`, content: csvOf(each) }))),
  '.json': (tables) =>
    JSON.stringify(
      Object.fromEntries(
        tables.map(({ title, columns, rows }, at) => [
          `${title}${at}`,
          rows.map((row) => Object.fromEntries(columns.map((name, index) => [name, row[index]]))),
        ]),
      ),
    ),
};

function csvOf({ title, columns, rows }: WrittenTable): string {
  return [title, columns.join(), ...rows.map((row) => row.join()), ''].join('\n');
}
