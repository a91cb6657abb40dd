import { lazily } from '../listing.ts';
import type { World } from '../world.ts';
import { catalogDoor } from './catalog-pages.ts';
import { demandDoor } from './demand.ts';
import type { Door } from './door.ts';
import { downloadDoor } from './downloads.ts';
import { odcloudDoor } from './odcloud.ts';
import { makeShelf } from './shelf.ts';

/** Every door beside the operations, in the order in which they are asked. */
export function otherDoors(world: World): readonly Door[] {
  const shelf = lazily(() => makeShelf(world.seed));
  const makers = [odcloudDoor, downloadDoor, catalogDoor] as const;
  return [
    demandDoor(world),
    ...makers.map((make): Door => {
      const door = lazily(() => make(shelf()));
      return (question, desk) => door()(question, desk);
    }),
  ];
}
