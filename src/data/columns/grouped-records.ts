import { membersOf, type DocumentSet } from '../search/document-set.ts';
import type { Groups } from './divide-into-groups.ts';

/** The selected records with their groups, for aggregates that need another pass over them. */
export class GroupedRecords {
  readonly groups: Groups;
  readonly #sets: readonly DocumentSet[];

  constructor(groups: Groups, sets: readonly DocumentSet[]) {
    this.groups = groups;
    this.#sets = sets;
  }

  get count(): number {
    return this.groups.counts.length;
  }

  *chunks(): Generator<GroupedChunk> {
    for (const [chunk, set] of this.#sets.entries()) {
      if (set.count === 0) continue;
      const members = membersOf(set);
      yield { chunk, members, groups: this.groups.groupsOf(chunk, members) };
    }
  }
}

/** The members of a chunk and the group of each; one past the last for a group that was left out. */
interface GroupedChunk {
  readonly chunk: number;
  readonly members: Uint16Array;
  readonly groups: Int32Array;
}
