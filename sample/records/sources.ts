import type { Source } from '../doors/operations.ts';
import type { World } from '../world.ts';

/** The records of every operation, by code. Each family of records is made when it is first asked for. */
export function sourcesOf(_world: World): ReadonlyMap<string, Source> {
  return new Map();
}
