import type { Axis, Text } from '../../data/axis.ts';
import type { KnownField } from '../fields/profiler.ts';

/** An axis that needs no key and no network: the first start publishes it. */
export interface BuiltInAxis {
  readonly axis: Axis;
  readonly columns: readonly string[];
  /** Labels as the portal publishes them for the same fields. */
  readonly known: readonly KnownField[];
  /** Texts, as a collection would store them. */
  readonly rows: readonly (readonly Text[])[];
}
