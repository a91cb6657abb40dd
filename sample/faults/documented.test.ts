import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileDatasets } from '../files/datasets.ts';
import { operations } from '../operation.ts';
import { documented } from './documented.ts';
import { faultTable } from './schedule.ts';

test('every fault is documented, each once', () => {
  const named = documented.flatMap(({ faults = [] }) => faults);
  assert.deepEqual(named.toSorted(), Object.keys(faultTable).toSorted());
});

test('everything documented has a fault, a family, a file or an option', () => {
  const families = new Set(operations.map(({ family }) => family));
  const files = new Set(fileDatasets(1).map(({ number }) => number));
  for (const { what, faults = [], families: own = [], files: numbers = [], option } of documented) {
    assert.ok(
      own.every((family) => families.has(family)),
      what,
    );
    assert.ok(
      numbers.every((number) => files.has(number)),
      what,
    );
    assert.ok(faults.length + own.length + numbers.length > 0 || option !== undefined, what);
  }
  const shown = new Set(documented.flatMap(({ files: numbers = [] }) => numbers));
  assert.deepEqual([...shown].toSorted(), [...files].toSorted());
});
