import assert from 'node:assert/strict';
import test from 'node:test';
import { buildAxis, testFields } from '../../../test/build-axis.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { OpenedSnapshot } from '../snapshot/opened.ts';
import { distancesPerStep } from './places.ts';
import { selectRecords } from './select-records.ts';
import { AxisReader } from './selection.ts';

test('distances of a chunk are computed in steps, with and without a radius', () => {
  const records = 2 * distancesPerStep + 1;
  const rows = Array.from({ length: records }, (_, at) => [`${37 + at / 1e6}`, '127.5']);
  const [lat, lon] = (['lat', 'lon'] as const).map((role) => ({
    ...testFields[0]!,
    name: role,
    role,
    type: 'number' as const,
  }));
  using data = temporaryFolder();
  const id = buildAxis(data.path, 'file_1', rows, null, [lat!, lon!]);
  using opened = OpenedSnapshot.open(data.path, id);
  const { columns, index } = opened.part('file_1');
  const { fields } = opened.axes.get('file_1')!;
  for (const radius of [undefined, 50_000]) {
    const near = { lat: 37, lon: 127.5, ...(radius === undefined ? {} : { radius }) };
    const reader = new AxisReader(columns!, index, fields);
    const steps = selectRecords(reader, { near, offset: 0, limit: 2 });
    let count = 0;
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done === true) {
        assert.deepEqual(step.value.rows, [0, 1]);
        assert.deepEqual(step.value.distances, [0, 0.1]);
        assert.equal(step.value.total, records);
        break;
      }
      count++;
    }
    assert.ok(count > 4, `${count} steps`);
  }
});
