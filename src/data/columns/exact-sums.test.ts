import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { buildAxis, testFields } from '../../../test/build-axis.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { SnapshotStore } from '../../lookup/store/snapshot.ts';

const fields = testFields.map(
  (field, at) => ({ ...field, type: at === 0 ? field.type : 'number' }) as const,
);

test('sums beyond the safe integers equal those of BigInt, with decimals too', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(0, 2),
      fc.array(
        fc.maxSafeInteger().map((number) => Math.trunc(number / 5)),
        {
          minLength: 1,
          maxLength: 40,
        },
      ),
      async (scale, wholes) => {
        using data = temporaryFolder();
        const rows = wholes.map((whole) => ['모두', decimal(whole, scale)]);
        const id = buildAxis(data.path, 'file_1', rows, null, fields);
        await using store = new SnapshotStore(data.path, id);
        const { items } = await store.groups('file_1', {
          by: [],
          aggregates: [{ name: 'sum', function: 'sum', column: '비고' }],
          offset: 0,
          limit: 1,
        });
        const sum = wholes.reduce((total, whole) => total + BigInt(whole), 0n);
        assert.equal(items[0]!['sum'], Number(`${sum}e-${scale}`));
      },
    ),
    { numRuns: 12 },
  );
});

function decimal(whole: number, scale: number): string {
  const digits = String(Math.abs(whole)).padStart(scale + 1, '0');
  const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  return whole < 0 ? `-${text}` : text;
}
