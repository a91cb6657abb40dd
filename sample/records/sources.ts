import type { Source } from '../hosts/operations.ts';
import type { World } from '../world.ts';
import { airportSources } from './airport.ts';
import { busSources } from './buses.ts';
import { cultureSources } from './culture.ts';
import { daySources } from './days.ts';
import { electionSources } from './elections.ts';
import { facilitySources } from './facilities.ts';
import { hospitalSources } from './hospitals.ts';
import { regionCodeSources } from './region-codes.ts';
import { standardSources } from './standard.ts';
import { storeSources } from './stores.ts';
import { tourismSources } from './tourism.ts';
import { warningSources } from './warnings.ts';
import { weatherSources } from './weather.ts';

/** The records of every operation, by code. Each kind is made on first use. */
export function sourcesOf(world: World): ReadonlyMap<string, Source> {
  return new Map(
    Object.entries({
      ...storeSources(world),
      ...tourismSources(world),
      ...cultureSources(world),
      ...hospitalSources(world),
      ...weatherSources(world),
      ...warningSources(world),
      ...daySources(),
      ...electionSources(world),
      ...busSources(world),
      ...facilitySources(world),
      ...standardSources(world),
      ...airportSources(world),
      ...regionCodeSources,
    }),
  );
}
