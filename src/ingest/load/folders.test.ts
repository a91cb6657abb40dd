import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { isLongForm } from '../../../test/long-form.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { datasetOfFileName } from '../files/dataset-name.ts';
import type { CatalogLookup } from './identity.ts';
import { importAxis } from './import-axis.ts';
import { findInputs } from './inputs.ts';
import { loadFiles } from './load.ts';
import { noMatches } from './title-match.ts';
import { planLoad, type PlannedAxis } from './plan.ts';

const noCatalog: CatalogLookup = { byNumber: () => null, byTitle: () => noMatches };
const runs = isLongForm ? 2000 : 12;

type Row = Readonly<Record<string, string>>;

interface DataFile {
  readonly path: string;
  readonly rows: readonly Row[];
}

const layouts = [
  ['이름', '값'],
  ['값', '이름'],
  ['이름', '값', '비고'],
  ['학교', '학급'],
];

const dataFile = fc
  .record({
    folder: fc.constantFrom('', '서울/', '부산/', '부산/옛/'),
    title: fc.constantFrom(
      '현황',
      '자료',
      '서울특별시_공장 현황',
      'file_15090165_약국',
      'file_15090165_병원',
    ),
    date: fc.constantFrom('', '', '_20240101', '_20250101', '_2025'),
    part: fc.constantFrom('', '', '_1', '_2', ' (1)'),
    format: fc.constantFrom('.csv', '.csv', '.json'),
    layout: fc.constantFrom(...layouts),
    values: fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 4 }),
  })
  .map(({ folder, title, date, part, format, layout, values }): DataFile => ({
    path: `${folder}${title}${date}${part}${format}`,
    rows: values.map((value) =>
      Object.fromEntries(layout.map((name) => [name, `${name}${value}`])),
    ),
  }));

/** A table in two to four files. */
const series = fc
  .tuple(dataFile, fc.integer({ min: 2, max: 4 }))
  .map(([{ path, rows }, parts]): DataFile[] =>
    Array.from({ length: parts }, (_, at) => ({
      path: path.replace(/(?: \(1\)|_[12])?(\.\w+)$/, `_${at + 1}$1`),
      rows: rows.map((row) =>
        Object.fromEntries(Object.entries(row).map(([name, value]) => [name, `${value}-${at}`])),
      ),
    })),
  );

const dataFolder = fc
  .tuple(fc.array(dataFile, { minLength: 1, maxLength: 6 }), fc.option(series, { nil: [] }))
  .map(([files, parts]) => [
    ...new Map([...files, ...parts].map((file) => [file.path, file])).values(),
  ]);

function writeFiles(root: string, files: readonly DataFile[]): void {
  for (const { path, rows } of files) {
    const whole = join(root, path);
    mkdirSync(dirname(whole), { recursive: true });
    const names = Object.keys(rows[0]!);
    const lines = rows.map((row) => names.map((name) => row[name]).join(','));
    const text = path.endsWith('.csv')
      ? [names.join(','), ...lines, ''].join('\n')
      : JSON.stringify(rows);
    writeFileSync(whole, text);
  }
}

/** A row in one spelling, whatever the order of its names. */
function spell(row: Readonly<Record<string, unknown>>): string {
  const present = Object.entries(row).filter(([, value]) => value !== null);
  return JSON.stringify(present.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function spellAll(rows: readonly Row[]): string[] {
  return rows.map(spell).sort();
}

/** True if at least half of the values of the smaller table are in the other. */
function haveCommonValues(one: readonly Row[], other: readonly Row[]): boolean {
  const [smaller, larger] = [one, other]
    .map((rows) => new Set(rows.flatMap((row) => Object.values(row))))
    .sort((a, b) => a.size - b.size);
  const common = [...smaller!].filter((value) => larger!.has(value)).length;
  return common * 2 >= smaller!.size;
}

/** Plans the files below a folder, in an order that depends on the names alone. */
async function planFolder(root: string, storedColumns?: ReadonlyMap<string, readonly string[]>) {
  const { files } = findInputs([root]);
  const rank = ({ path }: { path: string }): number => ((path.length - root.length) * 7) % 5;
  const shuffled = files.toSorted((a, b) => rank(a) - rank(b));
  const stored = (code: string) => storedColumns?.get(code) ?? null;
  const { axes, skipped } = await planLoad(shuffled, {}, noCatalog, new Date(0), stored);
  const below = ({ path }: { path: string }): string => relative(root, path);
  return {
    axes,
    files: new Map(
      axes.map(({ identity, files: parts }) => [identity.axis.code, parts.map(below)]),
    ),
    titles: axes.map(({ identity }) => identity.axis.title).sort(),
    skipped: new Map(
      skipped.map((file) => [below(file), file.code] as const).sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
  };
}

/** The records of a planned axis. */
async function importRows({ identity, files, columns }: PlannedAxis): Promise<string[]> {
  using scratch = temporaryFolder();
  const folder = join(scratch.path, 'axis');
  const paths = files.map(({ path }) => path);
  const { axis } = identity;
  const source = { files: paths, sheet: null, columns, storedColumns: null, hasBesides: false };
  const task = { axis, ...source, previousFindings: [], folder };
  const { findings } = await importAxis(task, () => {});
  assert.ok(!findings.some(({ kind }) => kind === 'part_not_held'), 'A part is lost.');
  const records = JSON.parse(readFileSync(join(folder, 'records.json'), 'utf8')) as Row[];
  return spellAll(records);
}

test('every table of a random folder is imported whole, or skipped for a true reason', async () => {
  const property = fc.asyncProperty(dataFolder, async (files) => {
    using folder = temporaryFolder();
    writeFiles(folder.path, files);
    const { axes, files: pathsByCode, skipped } = await planFolder(folder.path);
    assert.equal(pathsByCode.size, axes.length, 'Two axes have one code.');
    const byPath = new Map(files.map((file) => [file.path, file]));
    const imported = [...pathsByCode.values()].flat().map((path) => byPath.get(path)!);
    assert.equal(imported.length + skipped.size, files.length);
    for (const axis of axes) {
      const paths = pathsByCode.get(axis.identity.axis.code)!;
      const rows = paths.flatMap((path) => byPath.get(path)!.rows);
      assert.deepEqual(await importRows(axis), spellAll(rows));
    }
    for (const [path, code] of skipped) {
      const file = byPath.get(path)!;
      const { title, referenceDate } = datasetOfFileName(path);
      const isSkippedFor = {
        copy: () =>
          imported.some(({ rows }) => spellAll(rows).join() === spellAll(file.rows).join()),
        superseded: () =>
          files.some(({ path: other }) => {
            const { title: otherTitle, referenceDate: date } = datasetOfFileName(other);
            return otherTitle === title && (date ?? '') > (referenceDate ?? '9');
          }),
        other_format: () =>
          imported.some(
            ({ path: other, rows }) =>
              datasetOfFileName(other).title === title &&
              other.slice(-4) !== path.slice(-4) &&
              haveCommonValues(rows, file.rows),
          ),
      }[code];
      assert.ok(isSkippedFor?.(), `${path} is skipped as ${code}.`);
    }
  });
  await fc.assert(property, { numRuns: runs });
});

test('codes do not depend on the folder’s place, the order of files or what is stored', async () => {
  const property = fc.asyncProperty(dataFolder, async (files) => {
    using folder = temporaryFolder();
    using elsewhere = temporaryFolder();
    writeFiles(folder.path, files);
    writeFiles(join(elsewhere.path, '다른 곳'), files.toReversed());
    const { axes, ...first } = await planFolder(folder.path);
    const layoutOf = new Map(files.map(({ path, rows }) => [path, Object.keys(rows[0]!)]));
    const stored = new Map([...first.files].map(([code, [path]]) => [code, layoutOf.get(path!)!]));
    const { axes: _, ...again } = await planFolder(folder.path, stored);
    assert.deepEqual(again, first);
    const { axes: __, ...moved } = await planFolder(join(elsewhere.path, '다른 곳'));
    assert.deepEqual(moved, first);
    assert.equal(new Set(first.titles).size, axes.length, 'Two axes have one title.');
  });
  await fc.assert(property, { numRuns: runs * 3 });
});

test('a second load of a random folder publishes nothing', async () => {
  const property = fc.asyncProperty(dataFolder, async (files) => {
    using folder = temporaryFolder();
    const source = join(folder.path, 'files');
    const data = join(folder.path, 'var');
    writeFiles(source, files);
    const first = await loadFiles(data, [source]);
    assert.ok(!first.notHeld.some(({ code }) => code === 'internal'));
    const again = await loadFiles(data, [source]);
    assert.equal(again.isUnchanged, true);
    assert.equal(again.snapshot, first.snapshot);
    assert.deepEqual(
      again.axes.map(({ code, rows }) => [code, rows]),
      first.axes.map(({ code, rows }) => [code, rows]),
    );
  });
  await fc.assert(property, { numRuns: isLongForm ? 40 : 1 });
});
