import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axisDefinition } from '../operations/definitions.ts';
import { findDifferences } from './differences.ts';

test('many unknown fields with long names make one short sentence', () => {
  const axis = axisDefinition('std_library')!;
  const unknownFields = Array.from({ length: 150 }, (_, at) => `${at}${'x'.repeat(10_000)}`);
  const rows = { columns: [], rows: [], missingFields: [], unknownFields };
  const answer = {
    rows: [],
    total: 0,
    code: '00',
    message: '',
    format: 'json',
    body: Buffer.from('{}'),
    status: 200,
    isMended: false,
  } as const;
  const [found] = findDifferences(axis, answer, rows, {});
  assert.match(found!.detail, /and 145 more\.$/);
  assert.ok(found!.detail.length < 500, `${found!.detail.length}`);
});
