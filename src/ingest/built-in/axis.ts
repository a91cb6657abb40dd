import type { Axis, Text } from '../../data/axis.ts';
import type { PublishedField } from '../fields/profiler.ts';

/** An axis that needs neither a service key nor the network; the first start publishes it. */
export interface BuiltInAxis {
  readonly axis: Axis;
  readonly columns: readonly string[];
  /** Labels that the portal publishes for the fields. */
  readonly publishedFields: readonly PublishedField[];
  /** Cells as text, as a collection stores them. */
  readonly rows: readonly (readonly Text[])[];
}
