import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPart, livingEnds } from './coverage.ts';
import { hasDong } from './dongs.ts';
import formerLines from './former-regions.json' with { type: 'json' };
import { areApart, countedIn, hasOwnRecords } from './former-regions.ts';
import { regionByCode, regionTable } from './region-table.ts';

const lines = formerLines as [former: string, living: string, dongs: string][];

test('every line names dongs of a living region that belonged to a former region', () => {
  for (const [former, living, dongs] of lines) {
    const region = regionByCode(former)!;
    assert.notEqual(region.until, null, former);
    assert.ok(livingEnds(region).some(({ code }) => code === living));
    if (dongs === '*') continue;
    for (const name of dongs.split(' '))
      assert.ok(hasDong(living, name.replace('?', '')), `${former} ${living} ${name}`);
  }
});

test('no dong belonged to two disjoint former regions', () => {
  for (const [former, living, dongs] of lines) {
    for (const [other, where, theirs] of lines) {
      if (living !== where || former >= other || !areApart(former, other)) continue;
      assert.ok(dongs !== '*' && theirs !== '*', `${former} ${other}`);
      const own = new Set(dongs.split(' ').filter((name) => !name.startsWith('?')));
      assert.deepEqual(own.intersection(new Set(theirs.split(' '))), new Set());
    }
  }
});

test('a former region without records of its own is one living region under another name', () => {
  for (const region of regionTable) {
    if (region.until === null) assert.ok(!hasOwnRecords(region), region.code);
    else if (!hasOwnRecords(region)) assert.equal(livingEnds(region).length, 1, region.code);
  }
  for (const code of ['28170', '42110', '41195', '47720', '41710', '48190', '41750'])
    assert.ok(!hasOwnRecords(regionByCode(code)!), code);
  for (const code of ['28110', '28140', '28260', '43710', '48160', '42715', '44730', '29'])
    assert.ok(hasOwnRecords(regionByCode(code)!), code);
});

test('regions are disjoint if neither contained, followed or preceded the other', () => {
  for (const [one, other] of [
    ['28110', '28140'],
    ['41230', '41740'],
    ['48110', '48160'],
  ] as const) {
    assert.ok(areApart(one, other) && areApart(other, one));
  }
  assert.ok(!areApart('48150', '48151'));
  assert.ok(!areApart('48795', '48160'));
  assert.ok(!areApart('28110', '28125'));
  assert.ok(!areApart('28110', '28110'));
});

test('where records of a former region may be counted beside it', () => {
  assert.deepEqual(namesOf('28110'), ['제물포구']);
  assert.deepEqual(namesOf('28260'), []);
  assert.deepEqual(namesOf('29'), ['전남광주통합특별시']);
  assert.deepEqual(namesOf('43710').slice(0, 2), ['청주시', '청주시 상당구']);
  assert.ok(isPart(regionByCode('46')!));
});

function namesOf(code: string): string[] {
  return countedIn(regionByCode(code)!);
}
