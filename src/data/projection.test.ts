import assert from 'node:assert/strict';
import { test } from 'node:test';
import { degreesOf } from './projection.ts';

/** Plane coordinates of Seoul City Hall and of Jeju City Hall, computed by PROJ’s definitions of the systems. */
const cases = [
  { system: 3857, seoul: [14135122.873, 4518371.425], jeju: [14085387.462, 3961809.663] },
  { system: 2097, seoul: [198239.333, 451583.721], jeju: [156628.568, 452.223] },
  { system: 5174, seoul: [197984.007, 451583.779], jeju: [156360.013, 453.434] },
  { system: 5179, seoul: [953898.467, 1952035.979], jeju: [910009.49, 1501282.161] },
  { system: 5181, seoul: [198053.647, 451888.916], jeju: [156436.452, 760.849] },
  { system: 5185, seoul: [374756.489, 553728.197], jeju: [342289.213, 101712.011] },
  { system: 5186, seoul: [198053.647, 551888.916], jeju: [156436.452, 100760.849] },
] as const;

for (const { system, seoul, jeju } of cases) {
  test(`coordinates of EPSG:${system} are converted to degrees as PROJ converts them`, () => {
    assertNear(degreesOf(system, seoul[0], seoul[1]), 37.566535, 126.9779692);
    assertNear(degreesOf(system, jeju[0], jeju[1]), 33.4996213, 126.5311884);
  });
}

test('coordinates of a system that is not listed are not converted', () => {
  assert.equal(degreesOf(4326, 126.9, 37.5), null);
});

/** Within two centimetres. */
function assertNear(found: ReturnType<typeof degreesOf>, lat: number, lon: number): void {
  assert.ok(found !== null);
  assert.ok(
    Math.abs(found.lat - lat) < 2e-7 && Math.abs(found.lon - lon) < 2e-7,
    String(found.lat),
  );
}
