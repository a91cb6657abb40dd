import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isMergedSido, currentSuccessors } from './coverage.ts';
import { hasDong } from './dongs.ts';
import formerLines from './former-regions.json' with { type: 'json' };
import { areDisjoint, countingRegionNames, hasOwnRecords } from './former-regions.ts';
import { regionByCode, regionTable } from './region-table.ts';

const lines = formerLines as [former: string, current: string, dongs: string][];

test('every line lists dongs of a current region that belonged to a former region', () => {
  for (const [former, current, dongs] of lines) {
    const region = regionByCode(former)!;
    assert.notEqual(region.until, null, former);
    assert.ok(currentSuccessors(region).some(({ code }) => code === current));
    if (dongs === '*') continue;
    for (const name of dongs.split(' '))
      assert.ok(hasDong(current, name.replace('?', '')), `${former} ${current} ${name}`);
  }
});

test('no dong belonged to two disjoint former regions', () => {
  for (const [former, current, dongs] of lines) {
    for (const [other, otherCurrent, otherDongs] of lines) {
      if (current !== otherCurrent || former >= other || !areDisjoint(former, other)) continue;
      assert.ok(dongs !== '*' && otherDongs !== '*', `${former} ${other}`);
      const own = new Set(dongs.split(' ').filter((name) => !name.startsWith('?')));
      assert.deepEqual(own.intersection(new Set(otherDongs.split(' '))), new Set());
    }
  }
});

test('a former region without records of its own became exactly one current region', () => {
  for (const region of regionTable) {
    if (region.until === null) assert.ok(!hasOwnRecords(region), region.code);
    else if (!hasOwnRecords(region)) assert.equal(currentSuccessors(region).length, 1, region.code);
  }
  for (const code of ['28170', '42110', '41195', '47720', '41710', '48190', '41750'])
    assert.ok(!hasOwnRecords(regionByCode(code)!), code);
  for (const code of ['28110', '28140', '28260', '43710', '48160', '42715', '44730', '29'])
    assert.ok(hasOwnRecords(regionByCode(code)!), code);
});

test('two regions are disjoint if neither contained or succeeded the other', () => {
  for (const [one, other] of [
    ['28110', '28140'],
    ['41230', '41740'],
    ['48110', '48160'],
  ] as const) {
    assert.ok(areDisjoint(one, other) && areDisjoint(other, one));
  }
  assert.ok(!areDisjoint('48150', '48151'));
  assert.ok(!areDisjoint('48795', '48160'));
  assert.ok(!areDisjoint('28110', '28125'));
  assert.ok(!areDisjoint('28110', '28110'));
});

test('countingRegionNames lists the current regions that may count records of a former one', () => {
  assert.deepEqual(namesOf('28110'), ['제물포구']);
  assert.deepEqual(namesOf('28260'), []);
  assert.deepEqual(namesOf('29'), ['전남광주통합특별시']);
  assert.deepEqual(namesOf('43710').slice(0, 2), ['청주시', '청주시 상당구']);
  assert.ok(isMergedSido(regionByCode('46')!));
});

function namesOf(code: string): string[] {
  return countingRegionNames(regionByCode(code)!);
}
