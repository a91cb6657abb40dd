import type { Axis, Text } from '../../data/axis.ts';
import type { PublishedField } from '../fields/profiler.ts';

/** An axis that needs no key and no network: the first start publishes it. */
export interface BuiltInAxis {
  readonly axis: Axis;
  readonly columns: readonly string[];
  /** Labels as the portal publishes them for the same fields. */
  readonly known: readonly PublishedField[];
  /** Texts, as a collection would store them. */
  readonly rows: readonly (readonly Text[])[];
}
