import { membersOf, type DocumentSet } from '../search/document-set.ts';
import type { Accumulator } from './accumulator.ts';
import type { Parts } from './group-keys.ts';
import { groupSlots, type GroupSlots } from './group-slots.ts';
import { mostFrequent } from './most-frequent.ts';
import { countMembers } from './ranking.ts';
import { runWithoutInlining } from './run-without-inlining.ts';

/** Groups of selected records, numbered from 0 in the order of their keys. */
export interface Groups {
  /** Part of each key in a group. */
  partsOf(group: number): readonly number[];
  /** Number of records by group. */
  readonly counts: readonly number[];
  /** Slot of each group in the accumulators. */
  readonly slots: readonly number[];
  readonly found: FoundGroups;
  /** Group of each of a chunk's members, or one past the last if it was left out. Valid until the next call. */
  groupsOf(chunk: number, members: Uint16Array): Int32Array;
}

/** Number of groups of the selected records, of which at most `groupsMax` are used. */
export interface FoundGroups {
  readonly number: number;
  /** False if there were too many to count: `number` is a lower bound. */
  readonly isExact: boolean;
}

/**
 * Divides the records of `sets` into groups by `keys`. `accumulatorsOf` creates accumulators with a number of slots. If
 * few groups are possible, the pass that finds the groups also fills the accumulators; else a second pass does.
 */
export function* divideIntoGroups(
  sets: readonly DocumentSet[],
  keys: readonly Parts[],
  accumulatorsOf: (slots: number) => readonly Accumulator[],
): Generator<void, Groups> {
  const possible = keys.reduce((product, { count }) => product * count, 1);
  const slotTable = groupSlots(keys, possible);
  const counts = new Uint32Array(slotTable.count + 1);
  const isOnePass = slotTable.count === possible;
  const accumulators = isOnePass ? accumulatorsOf(possible) : [];
  const areSlotsCached = !isOnePass && countMembers(sets) <= cachedMembersMax;
  const cachedSlots = new Map<number, Int32Array>();
  for (const [chunk, set] of sets.entries()) {
    if (set.count === 0) continue;
    const members = membersOf(set);
    const slots = slotTable.slotsOf(chunk, members);
    runWithoutInlining(countSlots, slots, members.length, counts);
    for (const accumulator of accumulators) accumulator.add(chunk, members, slots);
    if (areSlotsCached) cachedSlots.set(chunk, slots.slice(0, members.length));
    yield;
  }
  // Without a key there is one group, even if no record is selected.
  const used = keys.length === 0 ? singleGroup : yield* usedSlots(slotTable, counts);
  const groupOfSlot = new Int32Array(counts.length).fill(used.slots.length);
  for (const [group, slot] of used.slots.entries()) groupOfSlot[slot] = group;
  let groups = new Int32Array(0);
  const result: Groups = {
    partsOf: (group) => used.parts[group]!,
    counts: used.slots.map((slot) => counts[slot]!),
    slots: isOnePass ? used.slots : [...used.slots.keys()],
    found: used.found,
    groupsOf(chunk, members) {
      const slots = cachedSlots.get(chunk) ?? slotTable.slotsOf(chunk, members);
      if (groups.length < members.length) groups = new Int32Array(members.length);
      runWithoutInlining(numberGroups, slots, members.length, groupOfSlot, groups);
      return groups;
    },
  };
  if (!isOnePass) yield* accumulate(sets, result, accumulatorsOf(used.slots.length + 1));
  return result;
}

/** Groups that are used, in the order of their parts. */
interface UsedGroups {
  readonly slots: readonly number[];
  readonly parts: readonly (readonly number[])[];
  readonly found: FoundGroups;
}

const singleGroup: UsedGroups = { slots: [0], parts: [[]], found: { number: 1, isExact: true } };

/** Slots of the groups that are used: if there are too many, those with the most records. */
function* usedSlots(slotTable: GroupSlots, counts: Uint32Array): Generator<void, UsedGroups> {
  const slotCounts = counts.subarray(0, slotTable.used);
  const number = runWithoutInlining(countPositive, slotCounts);
  const slots =
    number <= groupsMax
      ? countedSlots(slotCounts)
      : yield* mostFrequent(slotCounts, 0, 0, groupsMax);
  yield;
  const sorted = slots
    .map((slot) => ({ slot, parts: slotTable.partsOf(slot) }))
    .sort((one, other) => compareParts(one.parts, other.parts));
  return {
    slots: sorted.map(({ slot }) => slot),
    parts: sorted.map(({ parts }) => parts),
    found: { number, isExact: !slotTable.isFull },
  };
}

function compareParts(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((part, key) => part !== other[key]);
  return at < 0 ? 0 : one[at]! - other[at]!;
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
    const memberGroups = groups.groupsOf(chunk, members);
    for (const accumulator of accumulators) accumulator.add(chunk, members, memberGroups);
    yield;
  }
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

/** Limit on groups in an answer: of more groups, those with the most records are used. */
const groupsMax = 10_000;
/** Limit on members whose slots are cached for the second pass: 8 MB. */
const cachedMembersMax = 1 << 21;
