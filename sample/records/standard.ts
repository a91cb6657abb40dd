import { randomFor } from '../seeded-random.ts';
import type { Source } from '../hosts/operations.ts';
import { filter, generateOnce, type Listing, type Row, type Value } from '../listing.ts';
import { operationOf } from '../operation.ts';
import { recordMaker } from '../patterns.ts';
import { districts, placeIn } from '../place.ts';
import type { World } from '../world.ts';

/** Standard data: one table for the whole country, filled by hundreds of offices (`tn_pubr_*`). */
export function standardSources(world: World): Readonly<Record<string, Source>> {
  return Object.fromEntries(
    counts.map(([code, count]) => {
      const fields = operationOf(code).fields.map(({ name }) => name);
      const make = recordMaker('std_common', code);
      const rows = generateOnce(world.count(code, count), (index): Row => {
        const random = randomFor(world.seed, code, index);
        const row = make(random, { n: index + 1 }, placeIn(random, random.pick(districts)));
        const complete: Record<string, Value> = {};
        for (const field of fields) complete[field] = row[field] ?? '';
        return complete;
      });
      const source: Source = (query) => filtered(rows, fields, query);
      return [code, source];
    }),
  );
}

const counts = [
  ['std_library', 1200],
  ['std_parking', 600],
  ['std_museum', 250],
  ['std_festival', 250],
  ['std_toilet', 400],
  ['std_park', 400],
] as const;

/** Any field is a filter, in capitals with underscores: `CTPRVN_NM=대구광역시`. */
function filtered(
  rows: Listing<Row>,
  fields: readonly string[],
  query: ReadonlyMap<string, string>,
): Listing<Row> {
  const filters = fields.flatMap((field) => {
    const upper = field.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
    const value = query.get(upper) ?? query.get(upper.toLowerCase()) ?? '';
    return value === '' ? [] : [[field, value] as const];
  });
  if (filters.length === 0) return rows;
  return filter(rows, (row) => filters.every(([field, value]) => String(row[field]) === value));
}
