import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { codesAbove, livingCodes, livingEnds, sidoCodeOf } from './coverage.ts';
import dividedLines from './divided.json' with { type: 'json' };
import dongLines from './dongs.json' with { type: 'json' };
import { hasDong } from './dongs.ts';
import pointLines from './points.json' with { type: 'json' };
import { livingChildren, regionByCode, regionsOn, regionTable } from './region-table.ts';

const living = regionTable.filter(({ until }) => until === null);

test('today there are 16 sido, 227 autonomous sigungu with two cities of 제주, and 39 일반구', () => {
  assert.equal(living.filter(({ level }) => level === 'sido').length, 16);
  assert.equal(living.filter(({ parent }) => parent?.length === 2).length, 227 + 2);
  assert.equal(living.filter(({ parent }) => parent?.length === 5).length, 39);
});

test('every line has a code, names, dates in order and a parent of its sido', () => {
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

test('every former region leads to living ones, and links go both ways', () => {
  for (const region of regionTable) {
    assert.equal(region.until === null, region.successors.length === 0, region.code);
    assert.ok(livingEnds(region).length > 0, region.code);
    for (const { code, kind } of region.successors) {
      const back = regionByCode(code)?.predecessors.find((one) => one.code === region.code);
      assert.deepEqual(back, { code: region.code, kind }, region.code);
    }
  }
});

test('links name the kind of change', () => {
  assert.deepEqual(successionsOf('42'), ['51 1:1']);
  assert.deepEqual(successionsOf('29'), ['12 n:1']);
  assert.deepEqual(successionsOf('28170'), ['28177 1:1']);
  assert.deepEqual(successionsOf('28110'), ['28125 1:n', '28155 1:n']);
  assert.deepEqual(successionsOf('28140'), ['28125 n:1']);
  assert.deepEqual(successionsOf('46750'), ['46130 n:1']);
});

test('the table knows which regions were in use on a day', () => {
  assert.equal(sidoNamesOn('2012-06-30').length, 16);
  assert.equal(sidoNamesOn('2012-07-01').length, 17);
  assert.equal(sidoNamesOn('2026-06-30').length, 17);
  assert.equal(sidoNamesOn('2026-07-01').length, 16);
  assert.ok(
    sidoNamesOn('2023-06-10').includes('강원도') && !sidoNamesOn('2023-06-11').includes('강원도'),
  );
  assert.ok(sidoNamesOn('2023-06-11').includes('강원특별자치도'));
});

test('a sido covers its sigungu, a city its 일반구, a former sido its own part', () => {
  assert.deepEqual(livingCodes(regionByCode('41110')!), [
    '41110',
    '41111',
    '41113',
    '41115',
    '41117',
  ]);
  assert.deepEqual(livingCodes(regionByCode('36')!), ['36']);
  const gwangju = livingCodes(regionByCode('29')!);
  assert.deepEqual(gwangju, ['12210', '12240', '12270', '12300', '12330', '29']);
  const jeonnam = livingCodes(regionByCode('46')!);
  assert.equal(jeonnam.length, 22 + 1);
  assert.deepEqual(
    livingCodes(regionByCode('12')!),
    [...new Set(['12', ...gwangju, ...jeonnam])].sort(),
  );
});

test('a region is above every living code within it', () => {
  for (const region of living) {
    for (const code of livingCodes(region))
      assert.ok(codesAbove(code).includes(region.code), `${code} ${region.code}`);
  }
  for (const code of ['12210', '12240']) assert.deepEqual(codesAbove(code), ['12', '29', code]);
  assert.deepEqual(codesAbove('12'), ['12']);
  assert.deepEqual(codesAbove('41111'), ['41', '41110', '41111']);
});

test('the sido of a code is the living one', () => {
  assert.equal(sidoCodeOf('42110'), '51');
  assert.equal(sidoCodeOf('29'), '12');
  assert.equal(sidoCodeOf('11110'), '11');
});

test('dongs, points and divided codes belong to living regions, cities having theirs in the 일반구', () => {
  const smallest = living
    .filter(
      ({ code, level }) =>
        livingChildren(code).length === 0 && (level === 'sigungu' || code === '36'),
    )
    .map(({ code }) => code)
    .sort();
  assert.deepEqual(
    dongLines.map(([code]) => code),
    smallest,
  );
  assert.deepEqual([...new Set(pointLines.map(([code]) => code))], smallest);
  for (const [code = '', points = '', dong] of pointLines) {
    assert.ok(dong === undefined || hasDong(code, dong), `${code} ${dong}`);
    assert.match(points, /^(?:3[3-8]\.\d{3} 1(?:2[4-9]|3[01])\.\d{3}(?: |$))+$/);
  }
  for (const [from = '', to = '', digits = ''] of dividedLines) {
    assert.ok(
      livingEnds(regionByCode(from)!).some(({ code }) => code === to),
      `${from} ${to}`,
    );
    assert.match(digits, /^\d{3}(?: \d{3})*$/);
  }
});

test('the facts stay small enough to read at every start', () => {
  const files = ['regions', 'dongs', 'divided', 'former-regions', 'points'];
  const bytes = files.map(
    (file) => readFileSync(path.join(import.meta.dirname, `${file}.json`)).length,
  );
  assert.ok(bytes.reduce((sum, one) => sum + one, 0) < 400_000);
});

function successionsOf(code: string): string[] {
  return (regionByCode(code)?.successors ?? []).map((link) => `${link.code} ${link.kind}`);
}

function sidoNamesOn(date: string): string[] {
  return regionsOn(date)
    .filter(({ level }) => level === 'sido')
    .map(({ name }) => name);
}
