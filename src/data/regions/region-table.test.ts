import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { codesDownTo, currentCodes, currentSuccessors, currentSidoCode } from './coverage.ts';
import dividedLines from './divided.json' with { type: 'json' };
import dongLines from './dongs.json' with { type: 'json' };
import { hasDong } from './dongs.ts';
import borderLines from './borders.json' with { type: 'json' };
import { currentChildren, regionByCode, regionsOn, regionTable } from './region-table.ts';

const currentRegions = regionTable.filter(({ until }) => until === null);

test('the current regions are 16 sido, 227 autonomous sigungu, two cities of 제주 and 39 일반구', () => {
  assert.equal(currentRegions.filter(({ level }) => level === 'sido').length, 16);
  assert.equal(currentRegions.filter(({ parent }) => parent?.length === 2).length, 227 + 2);
  assert.equal(currentRegions.filter(({ parent }) => parent?.length === 5).length, 39);
});

test('every region has a code, names, ordered dates and a parent in its sido', () => {
  for (const { code, level, name, short, parent, since, until } of regionTable) {
    assert.match(code, level === 'sido' ? /^\d{2}$/ : /^\d{5}$/);
    assert.ok(name !== '' && short !== '' && name.includes(short.slice(0, 1)), code);
    assert.match(since, /^\d{4}-\d{2}-\d{2}$/);
    if (until !== null) assert.ok(since < until, code);
    if (level === 'sido') assert.equal(parent, null);
    else
      assert.ok(
        parent !== null && code.startsWith(parent.slice(0, 2)) && regionByCode(parent),
        code,
      );
  }
});

test('every former region has current successors, and successions are listed both ways', () => {
  for (const region of regionTable) {
    assert.equal(region.until === null, region.successors.length === 0, region.code);
    assert.ok(currentSuccessors(region).length > 0, region.code);
    for (const { code, kind } of region.successors) {
      const { predecessors } = regionByCode(code)!;
      const predecessor = predecessors.find((one) => one.code === region.code);
      assert.deepEqual(predecessor, { code: region.code, kind }, region.code);
    }
  }
});

test('a succession is 1:1, n:1 after a merger and 1:n after a division', () => {
  assert.deepEqual(successionsOf('42'), ['51 1:1']);
  assert.deepEqual(successionsOf('29'), ['12 n:1']);
  assert.deepEqual(successionsOf('28170'), ['28177 1:1']);
  assert.deepEqual(successionsOf('28110'), ['28125 1:n', '28155 1:n']);
  assert.deepEqual(successionsOf('28140'), ['28125 n:1']);
  assert.deepEqual(successionsOf('46750'), ['46130 n:1']);
});

test('the regions in use on a day follow the dates of the table', () => {
  assert.equal(sidoNamesOn('2012-06-30').length, 16);
  assert.equal(sidoNamesOn('2012-07-01').length, 17);
  assert.equal(sidoNamesOn('2026-06-30').length, 17);
  assert.equal(sidoNamesOn('2026-07-01').length, 16);
  assert.ok(
    sidoNamesOn('2023-06-10').includes('강원도') && !sidoNamesOn('2023-06-11').includes('강원도'),
  );
  assert.ok(sidoNamesOn('2023-06-11').includes('강원특별자치도'));
});

test('the current codes of a sido, a city, a merged sido and a divided sigungu are complete', () => {
  assert.deepEqual(currentCodes(regionByCode('41110')!), [
    '41110',
    '41111',
    '41113',
    '41115',
    '41117',
  ]);
  assert.deepEqual(currentCodes(regionByCode('36')!), ['36']);
  assert.deepEqual(currentCodes(regionByCode('43710')!), ['43111', '43112', '43113', '43114']);
  const gwangju = currentCodes(regionByCode('29')!);
  assert.deepEqual(gwangju, ['12210', '12240', '12270', '12300', '12330', '29']);
  const jeonnam = currentCodes(regionByCode('46')!);
  assert.equal(jeonnam.length, 22 + 1);
  assert.deepEqual(
    currentCodes(regionByCode('12')!),
    [...new Set(['12', ...gwangju, ...jeonnam])].sort(),
  );
});

test('codesDownTo a current code of a region contains the region', () => {
  for (const region of currentRegions) {
    for (const code of currentCodes(region))
      assert.ok(codesDownTo(code).includes(region.code), `${code} ${region.code}`);
  }
  for (const code of ['12210', '12240']) assert.deepEqual(codesDownTo(code), ['12', '29', code]);
  assert.deepEqual(codesDownTo('12'), ['12']);
  assert.deepEqual(codesDownTo('41111'), ['41', '41110', '41111']);
});

test('the sido of a former code is the current one', () => {
  assert.equal(currentSidoCode('42110'), '51');
  assert.equal(currentSidoCode('29'), '12');
  assert.equal(currentSidoCode('11110'), '11');
});

test('dongs, borders and divided codes belong to the smallest current regions', () => {
  const smallest = currentRegions
    .filter(
      ({ code, level }) =>
        currentChildren(code).length === 0 && (level === 'sigungu' || code === '36'),
    )
    .map(({ code }) => code)
    .sort();
  assert.deepEqual(
    dongLines.map(([code]) => code),
    smallest,
  );
  const parts = borderLines.flatMap(([left = '', right = '']) => [left, right]);
  const codes = new Set(parts.map((part) => part.split(' ')[0] ?? ''));
  assert.deepEqual(codes, new Set(['', ...smallest]));
  for (const part of parts) {
    const [code = '', dong] = part.split(' ');
    assert.ok(dong === undefined || hasDong(code, dong), part);
  }
  for (const line of borderLines.flatMap(([, , ...lines]) => lines)) {
    assert.match(line, /^3[3-8]\d{4} 1(?:2[4-9]|3[01])\d{4}(?: (?!0 0(?: |$))-?\d+ -?\d+)+$/);
  }
  for (const [from = '', to = '', digits = ''] of dividedLines) {
    assert.ok(
      currentSuccessors(regionByCode(from)!).some(({ code }) => code === to),
      `${from} ${to}`,
    );
    assert.match(digits, /^\d{3}(?: \d{3})*$/);
  }
});

test('the region files that every start reads have less than 200,000 bytes', () => {
  const files = ['regions', 'dongs', 'divided', 'former-regions'];
  const bytes = files.map(
    (file) => readFileSync(path.join(import.meta.dirname, `${file}.json`)).length,
  );
  assert.ok(bytes.reduce((sum, one) => sum + one, 0) < 200_000);
});

function successionsOf(code: string): string[] {
  return (regionByCode(code)?.successors ?? []).map((link) => `${link.code} ${link.kind}`);
}

function sidoNamesOn(date: string): string[] {
  return regionsOn(date)
    .filter(({ level }) => level === 'sido')
    .map(({ name }) => name);
}
