import type { CatalogCounts } from '../catalog/entries.ts';
import { lazily } from '../listing.ts';
import type { World } from '../world.ts';
import { catalogDoor } from './catalog-pages.ts';
import { demandDoor } from './demand.ts';
import type { Door } from './door.ts';
import { downloadDoor } from './downloads.ts';
import { odcloudDoor } from './odcloud.ts';
import { makeShelf } from './shelf.ts';

/** Every door beside the operations, in the order in which they are asked. */
export function otherDoors(world: World, options: DoorOptions): readonly Door[] {
  const shelf = lazily(() => makeShelf(world.seed, options.catalog ?? {}));
  const makers = [odcloudDoor, downloadDoor, catalogDoor] as const;
  return [
    demandDoor(world, options.volumes ?? {}, options.refusedWords ?? []),
    ...makers.map((make): Door => {
      const door = lazily(() => make(shelf()));
      return (question, desk) => door()(question, desk);
    }),
  ];
}

/** What the other doors hold, where it is not the usual. */
export interface DoorOptions {
  readonly catalog?: CatalogCounts;
  /** Searches a month by keyword. */
  readonly volumes?: Readonly<Record<string, number>>;
  /** Keywords that the search trend answers with 400. */
  readonly refusedWords?: readonly string[];
}
