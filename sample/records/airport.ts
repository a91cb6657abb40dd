import { randomFor } from '../seeded-random.ts';
import type { Source } from '../hosts/operations.ts';
import { memoize, matches } from '../listing.ts';
import { recordMaker } from '../patterns.ts';
import type { World } from '../world.ts';

/** Buses of the airport. A missing value is an empty text or the word None. */
export function airportSources({ seed }: World): Readonly<Record<string, Source>> {
  const make = recordMaker('airport_bus');
  const rows = memoize(() =>
    Array.from({ length: 120 }, (_, index) =>
      make(randomFor(seed, 'airport', index), { number: 9000 + index }),
    ),
  );
  return {
    airport_bus: (query) => rows().filter((row) => matches(row['area'], query.get('area'))),
  };
}
