import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UsedPool, type Pooled } from './used-pool.ts';

test('a pool releases what was not used since its last pass, and stays within its bound', () => {
  const released: string[] = [];
  const itemOf = (name: string): Pooled => ({
    isUsed: true,
    release: () => void released.push(name),
  });
  const pool = new UsedPool(3);
  const [a, b, c] = ['a', 'b', 'c'].map(itemOf);
  for (const item of [a, b, c]) pool.add(item!, 1);
  assert.deepEqual([released, pool.cost], [[], 3]);
  pool.add(itemOf('d'), 1);
  assert.deepEqual(released, ['a']);
  b!.isUsed = true;
  pool.add(itemOf('e'), 1);
  assert.deepEqual([released, pool.cost], [['a', 'c'], 3]);
  pool.remove(b!);
  assert.equal(pool.cost, 2);
  pool.add(itemOf('f'), 5);
  assert.deepEqual(released, ['a', 'c', 'd', 'e']);
});
