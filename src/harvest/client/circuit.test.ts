import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCircuit } from './circuit.ts';

const limits = { circuitFailuresMax: 2, circuitOpenMs: 100, circuitOpenMsMax: 300 };

test('a circuit opens after failures in a row, and one success resets the count', () => {
  const circuit = createCircuit(limits);
  assert.equal(circuit.recordFailure('s', 0), false);
  circuit.recordSuccess('s');
  assert.equal(circuit.recordFailure('s', 0), false);
  assert.equal(circuit.recordFailure('s', 0), true);
  assert.deepEqual([circuit.allows('s', 99), circuit.openUntil('s')], [false, 100]);
  assert.equal(circuit.allows('other', 99), true);
});

test('an open circuit allows one trial; its failure opens it for longer, up to a bound', () => {
  const circuit = createCircuit(limits);
  circuit.recordFailure('s', 0);
  circuit.recordFailure('s', 0);
  assert.equal(circuit.recordFailure('s', 50), false, 'a call under way does not prolong it');
  assert.deepEqual([circuit.allows('s', 100), circuit.allows('s', 100)], [true, false]);
  assert.equal(circuit.recordFailure('s', 110), true);
  assert.equal(circuit.openUntil('s'), 310);
  assert.equal(circuit.allows('s', 310), true);
  circuit.recordFailure('s', 310);
  assert.equal(circuit.openUntil('s'), 610);
  assert.equal(circuit.allows('s', 610), true);
  circuit.recordAbandonment('s');
  assert.equal(circuit.allows('s', 610), true);
  circuit.recordSuccess('s');
  assert.equal(circuit.openUntil('s'), null);
});
