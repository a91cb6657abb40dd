import type { Value } from '../axis.ts';

/** Values of one column by group, computed while the records are read once. */
export interface Accumulator {
  /** Adds members of a chunk to the slots of their groups, one slot a member. */
  add(chunk: number, members: Uint16Array, slots: Int32Array): void;
  /** Value of a group that has so many records. */
  valueOf(slot: number, records: number): Value;
}
