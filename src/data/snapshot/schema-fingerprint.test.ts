import assert from 'node:assert/strict';
import { test } from 'node:test';
import { schemaFingerprint } from './schema-fingerprint.ts';

test('the fingerprint depends on names, types and their order, and on nothing else', () => {
  const fields = [
    { name: '이름', type: 'string' },
    { name: '수량', type: 'integer' },
  ] as const;
  const fingerprint = schemaFingerprint(fields);
  assert.match(fingerprint, /^[0-9a-f]{64}$/);
  assert.equal(
    schemaFingerprint(fields.map((field) => ({ ...field, label: '다른 말' }))),
    fingerprint,
  );
  assert.notEqual(schemaFingerprint(fields.toReversed()), fingerprint);
  assert.notEqual(schemaFingerprint([fields[0], { name: '수량', type: 'number' }]), fingerprint);
  assert.notEqual(schemaFingerprint([{ name: '이름","string', type: 'string' }]), fingerprint);
});
