import { membersOf, type DocumentSet } from '../search/document-set.ts';
import { chunkDocumentsMax } from '../search/postings.ts';
import type { Accumulator } from './accumulator.ts';
import type { Parts } from './group-keys.ts';
import { groupSlots, type GroupSlots } from './group-slots.ts';
import { mostFrequent } from './most-frequent.ts';
import { countMembers } from './ranking.ts';
import { runLoop } from './run-loop.ts';

/** Groups of selected records, numbered from 0 in the order of their keys. */
export interface Groups {
  /** Parts of a group, by key. */
  partsOf(group: number): readonly number[];
  /** Number of records by group. */
  readonly counts: readonly number[];
  /** Slot of each group in the accumulators. */
  readonly slots: readonly number[];
  readonly found: FoundGroups;
  /** Groups of a chunk's members; one past the last for those that were left out. Valid until the next call. */
  groupsOf(chunk: number, members: Uint16Array): Int32Array;
}

/** Groups of the selected records, of which at most `groupsMax` are used. */
export interface FoundGroups {
  readonly number: number;
  /** False if there were more than could be counted: `number` is a lower bound. */
  readonly isExact: boolean;
}

/**
 * Divides the members of `sets` by the parts of all keys. `accumulatorsOf` prepares accumulators for a number of slots.
 * They get all members in the same pass if few groups are possible; else in a second one, when the groups are known.
 */
export function* divideIntoGroups(
  sets: readonly DocumentSet[],
  keys: readonly Parts[],
  accumulatorsOf: (slots: number) => readonly Accumulator[],
): Generator<void, Groups> {
  const possible = keys.reduce((product, { count }) => product * count, 1);
  if (possible > Number.MAX_SAFE_INTEGER) return noGroups;
  const found = groupSlots(keys, possible);
  const counts = new Uint32Array(found.count + 1);
  const isOnePass = found.count === possible;
  const accumulators = isOnePass ? accumulatorsOf(possible) : [];
  const isKept = !isOnePass && countMembers(sets) <= keptMax;
  const kept = new Map<number, Int32Array>();
  for (const [chunk, set] of sets.entries()) {
    if (set.count === 0) continue;
    const members = membersOf(set);
    const slots = found.slotsOf(chunk, members);
    runLoop(countSlots, slots, members.length, counts);
    for (const accumulator of accumulators) accumulator.add(chunk, members, slots);
    if (isKept) kept.set(chunk, slots.slice(0, members.length));
    yield;
  }
  // Without a key there is one group, even of no records.
  const shown = keys.length === 0 ? theOnlyGroup : yield* shownSlots(found, counts);
  const groupOfSlot = new Int32Array(counts.length).fill(shown.slots.length);
  for (const [group, slot] of shown.slots.entries()) groupOfSlot[slot] = group;
  const groups = new Int32Array(chunkDocumentsMax);
  const result: Groups = {
    partsOf: (group) => partsOfId(found.idOf(shown.slots[group]!), keys),
    counts: shown.slots.map((slot) => counts[slot]!),
    slots: isOnePass ? shown.slots : [...shown.slots.keys()],
    found: shown.found,
    groupsOf(chunk, members) {
      const slots = kept.get(chunk) ?? found.slotsOf(chunk, members);
      runLoop(numberGroups, slots, members.length, groupOfSlot, groups);
      return groups;
    },
  };
  if (!isOnePass) yield* accumulate(sets, result, accumulatorsOf(shown.slots.length + 1));
  return result;
}

/** Three keys whose parts have no common number: nearly every record would be a group. */
const noGroups: Groups = {
  partsOf: () => [],
  counts: [],
  slots: [],
  found: { number: 0, isExact: false },
  groupsOf: (_, members) => new Int32Array(members.length),
};

const theOnlyGroup = { slots: [0], found: { number: 1, isExact: true } };

/** Slots of the groups in the order of their ids: those with the most records if there are too many. */
function* shownSlots(
  found: GroupSlots,
  counts: Uint32Array,
): Generator<void, { slots: readonly number[]; found: FoundGroups }> {
  const ofSlots = counts.subarray(0, found.used);
  const used = runLoop(countPositive, ofSlots);
  const slots =
    used <= groupsMax ? countedSlots(ofSlots) : yield* mostFrequent(ofSlots, 0, 0, groupsMax);
  yield;
  const slotOfId = new Map(slots.map((slot) => [found.idOf(slot), slot]));
  const sorted = Float64Array.from(slotOfId.keys()).sort();
  return {
    slots: Array.from(sorted, (id) => slotOfId.get(id)!),
    found: { number: used, isExact: !found.isFull },
  };
}

function countPositive(counts: Uint32Array): number {
  let positive = 0;
  for (let at = 0; at < counts.length; at++) if (counts[at]! > 0) positive++;
  return positive;
}

function countedSlots(counts: Uint32Array): number[] {
  const slots: number[] = [];
  for (let slot = 0; slot < counts.length; slot++) if (counts[slot]! > 0) slots.push(slot);
  return slots;
}

function* accumulate(
  sets: readonly DocumentSet[],
  groups: Groups,
  accumulators: readonly Accumulator[],
): Generator<void, void> {
  for (const [chunk, set] of sets.entries()) {
    if (set.count === 0 || accumulators.length === 0) continue;
    const members = membersOf(set);
    const ofMembers = groups.groupsOf(chunk, members);
    for (const accumulator of accumulators) accumulator.add(chunk, members, ofMembers);
    yield;
  }
}

function partsOfId(id: number, keys: readonly Parts[]): number[] {
  const parts: number[] = [];
  for (const { count } of keys.toReversed()) {
    parts.unshift(id % count);
    id = Math.floor(id / count);
  }
  return parts;
}

function countSlots(slots: Int32Array, length: number, counts: Uint32Array): void {
  for (let at = 0; at < length; at++) counts[slots[at]!]!++;
}

function numberGroups(
  slots: Int32Array,
  length: number,
  groupOfSlot: Int32Array,
  groups: Int32Array,
): void {
  for (let at = 0; at < length; at++) groups[at] = groupOfSlot[slots[at]!]!;
}

/** Number of groups in an answer: past it, those with the most records are kept. */
const groupsMax = 10_000;
/** Members whose slots are kept in memory between the passes over them: 8 MB. */
const keptMax = 1 << 21;
