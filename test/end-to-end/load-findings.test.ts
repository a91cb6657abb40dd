import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadFiles } from '../../src/ingest/load/load.ts';
import type { FileFindings } from '../../src/ingest/load/findings.ts';
import { OpenedSnapshot } from '../../src/data/snapshot/opened.ts';
import { temporaryFolder } from '../temporary-folder.ts';

test('impossible dates are reported by row, counted, and stored as written', async () => {
  using data = temporaryFolder();
  const path = join(data.path, 'file_15099001_조사.csv');
  const days = ['2024-01-01', '2023-02-30', '2024-01-02', '20240103', '99991332', '2024-01-04'];
  writeFileSync(path, `번호,조사일\n${days.map((day, at) => `${at + 1},${day}\n`).join('')}`);
  const { axes, snapshot } = await loadFiles(join(data.path, 'var'), [path]);
  assert.deepEqual(inEnglish(axes[0]?.findings), [
    {
      kind: 'date_impossible',
      count: 2,
      examples: [
        {
          file: 'file_15099001_조사.csv',
          row: 3,
          detail: '조사일: the date 2023-02-30 does not exist and is stored as written.',
        },
        {
          file: 'file_15099001_조사.csv',
          row: 6,
          detail: '조사일: the date 99991332 does not exist and is stored as written.',
        },
      ],
    },
  ]);
  using opened = OpenedSnapshot.open(join(data.path, 'var'), snapshot!);
  assert.equal(opened.axes.get('file_15099001')?.fields[1]?.type, 'date');
  const record = opened.part('file_15099001').records.record(1).toString();
  assert.equal(record, '{"번호":"2","조사일":"2023-02-30"}');
});

test('findings of a file are stored with its axis, dated by the load that found them first', async () => {
  using data = temporaryFolder();
  const path = join(data.path, 'file_15099001_현황.csv');
  const dataFolder = join(data.path, 'var');
  const quality = async (text: string) => {
    writeFileSync(path, text);
    const { snapshot, isUnchanged } = await loadFiles(dataFolder, [path]);
    using opened = OpenedSnapshot.open(dataFolder, snapshot!);
    const { axis, quality: found } = opened.axes.get('file_15099001')!;
    return { collectedAt: axis.collectedAt, found: found?.findings, isUnchanged };
  };
  const odd = '2024년 현황\n이름,값\n가,1,남음\n나,2\n';
  const first = await quality(odd);
  const finding = { kind: 'row_wider', count: 1, since: first.collectedAt };
  assert.deepEqual(
    first.found?.find(({ kind }) => kind === 'row_wider'),
    finding,
  );
  assert.ok(
    !first.found?.some(({ kind }) => kind === 'title_line'),
    'A title line is no problem of the data.',
  );
  assert.equal((await quality(odd)).isUnchanged, true);
  const second = await quality(`${odd}다,3,남음,또\n`);
  const again = second.found?.find(({ kind }) => kind === 'row_wider');
  assert.deepEqual(again, { ...finding, count: 2 });
  assert.equal((await quality('이름,값\n가,1\n')).found, undefined);
});

test('coordinates outside of Korea, or in each other’s column, are reported', async () => {
  using data = temporaryFolder();
  const dataFolder = join(data.path, 'var');
  const findings = async (rows: readonly string[]) => {
    const path = join(data.path, 'file_15099001_시설.csv');
    writeFileSync(path, `시설명,위도,경도\n${rows.map((row, at) => `가${at},${row}\n`).join('')}`);
    const { axes, snapshot } = await loadFiles(dataFolder, [path]);
    using opened = OpenedSnapshot.open(dataFolder, snapshot!);
    const found = axes[0]!.findings.filter(({ kind }) => kind === 'coordinate_odd');
    return {
      found: found.map(({ count, examples }) => [
        count,
        examples.map(({ row, detail }) => [row, detail.en]),
      ]),
      hasCoordinates: opened.axes.get('file_15099001')!.hasCoordinates,
    };
  };
  const right = Array.from({ length: 60 }, (_, at) => `37.${at + 500},127.${at + 100}`);
  assert.deepEqual(await findings([...right, '0,0', ',', '-,-']), {
    found: [],
    hasCoordinates: true,
  });
  const odd = ['127.5,37.5', '3.75,12.7', '37.5,129226015', '37.5,129226015'];
  assert.deepEqual(await findings([...right, ...odd]), {
    found: [
      [
        6,
        [
          [62, '위도: 127.5 is the other coordinate; it is stored as written.'],
          [63, '위도: 3.75 is outside Korea; it is stored as written.'],
          [62, '경도: 37.5 is the other coordinate; it is stored as written.'],
          [63, '경도: 12.7 is outside Korea; it is stored as written.'],
          [64, '경도: 129226015 is outside Korea; it is stored as written.'],
        ],
      ],
    ],
    hasCoordinates: true,
  });
  const swapped = right.map((row) => row.split(',').toReversed().join(','));
  const half = await findings([...right.slice(15), ...swapped.slice(15)]);
  assert.match(
    String(half.found[0]?.[1]),
    /위도: too many values are odd, so the column is not read as coordinates/,
  );
  assert.equal(half.hasCoordinates, false);
  const all = await findings(swapped);
  assert.match(String(all.found[0]?.[1]), /위도: read as longitude, by its values/);
  assert.equal(all.hasCoordinates, true, 'The values decide which is which.');
});

test('minutes and seconds of a coordinate are not reported as odd coordinates', async () => {
  using data = temporaryFolder();
  const path = join(data.path, 'file_15099001_격자.csv');
  const rows = Array.from({ length: 30 }, (_, at) => `가${at},126,${at},${at}.25`);
  writeFileSync(path, `지점명,경도(도),경도(분),경도(초)\n${rows.join('\n')}\n`);
  const { axes } = await loadFiles(join(data.path, 'var'), [path]);
  assert.deepEqual(axes[0]?.findings, []);
});

test('pages of one response are one axis, and the records of missing pages are reported', async () => {
  using data = temporaryFolder();
  const dataFolder = join(data.path, 'var');
  const paths = [1, 2, 3].map((page) => join(data.path, `file_15099001_병원_page${page}.xml`));
  for (const [index, path] of paths.entries()) {
    const items = [1, 2].map((at) => `<item><name>가람${index * 2 + at}</name></item>`).join('');
    const body = `<items>${items}</items><totalCount>6</totalCount>`;
    writeFileSync(path, `<response><header/><body>${body}</body></response>`);
  }
  const load = async (count: number) => {
    const { axes } = await loadFiles(dataFolder, paths.slice(0, count));
    assert.equal(axes.length, 1);
    return { rows: axes[0]?.rows, findings: inEnglish(axes[0]?.findings) };
  };
  const detail = '4 of 6 records; the others are on other pages.';
  const examples = [{ file: 'file_15099001_병원_page1.xml', row: null, detail }];
  assert.deepEqual(await load(2), {
    rows: 4,
    findings: [{ kind: 'pages_missing', count: 2, examples }],
  });
  assert.deepEqual(await load(3), { rows: 6, findings: [] });
});

/** Findings with their sentences in English. */
function inEnglish(findings: readonly FileFindings[] | undefined) {
  return findings?.map((finding) => ({
    ...finding,
    examples: finding.examples.map((example) => ({ ...example, detail: example.detail.en })),
  }));
}
