import type { KeyDesk } from '../keys.ts';
import type { Question } from '../question.ts';
import type { Reply } from '../reply.ts';
import type { World } from '../world.ts';
import type { Source } from './operations.ts';

/** One of the portal's doors beside the operations: null when the question is for another. */
export type Door = (question: Question, desk: KeyDesk) => Reply | null;

/** Every door beside the operations, in the order in which they are asked. */
export function otherDoors(_world: World, _sources: ReadonlyMap<string, Source>): readonly Door[] {
  return [];
}
