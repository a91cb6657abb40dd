import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gateRules } from '../src/harvest/runs/gates.ts';
import { findingName } from '../src/web/explorer/finding-names.ts';

test('every finding of a load or a collection has a name in both languages', () => {
  const source = readFileSync(join(import.meta.dirname, '../src/ingest/files/table.ts'), 'utf8');
  const union = /export type FindingKind =(.*?)';$/ms.exec(source)?.[1] ?? '';
  const fileKinds = Array.from(`${union}'`.matchAll(/\| '(\w+)'/g), ([, kind]) => kind!);
  assert.ok(fileKinds.length > 20);
  for (const kind of [...fileKinds, ...Object.keys(gateRules)]) {
    assert.notEqual(findingName(kind, 'ko'), kind);
    assert.notEqual(findingName(kind, 'en'), kind);
  }
});
