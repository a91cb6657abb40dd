import type { Value } from '../axis.ts';

/** Computes a value of each group, such as a sum, in one pass over the records. */
export interface Accumulator {
  /** Adds records of a chunk; `slots` has the slot of the group of each of `members`. */
  add(chunk: number, members: Uint16Array, slots: Int32Array): void;
  /** Value of the group in a slot, which has `records` records. */
  valueOf(slot: number, records: number): Value;
}
