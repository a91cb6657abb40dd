import type { StoredAxis } from '../../data/axis.ts';
import type { WrittenAxis } from '../../data/snapshot/axis-writer.ts';
import { RecordsFile } from '../../data/snapshot/records.ts';
import { builtCollection, type AxisContext } from '../runs/axis-source.ts';
import { inspectCollection, type GateFinding } from '../runs/gates.ts';
import { builtFolder } from '../runs/stored-axes.ts';
import { countNamedPlaces } from '../runs/named-places.ts';
import type { RunContext } from '../runs/run-context.ts';
import type { Collection } from '../runs/source.ts';

/** Compares a built dataset with the served one of the same origin and adds the findings. */
export function inspectDataset(
  written: WrittenAxis,
  context: AxisContext,
  { origin, lostBefore }: RunContext,
  more: {
    readonly mismatch: number;
    /** Lowest and highest total of lists that changed while they were paged. */
    readonly moved?: readonly (readonly [number, number])[];
    readonly findings: readonly GateFinding[];
  },
): Collection<WrittenAxis> {
  const { code } = written.stored.axis;
  const served = context.stored.served(code);
  const replaced = served?.axis.origin === origin ? served : null;
  using previous = replaced === null ? null : context.stored.openServed(code);
  using records = new RecordsFile(builtFolder(context.data, code));
  const facts = {
    written: written.stored,
    accumulates: false,
    requests: 1,
    refused: 0,
    refusedExample: null,
    mismatch: more.mismatch,
    moved: more.moved?.length ?? 0,
    movedExample: more.moved?.[0] ?? null,
    duplicateKeys: 0,
    mergedKeys: 0,
    damaged: 0,
    ...changedFields(replaced, written.stored),
    // Columns count as positions only if their values are within the country.
    positions: 0,
    abroad: 0,
    places: previous === null ? null : countNamedPlaces(previous.stored.fields, records),
    placesBefore:
      previous === null ? null : countNamedPlaces(previous.stored.fields, previous.records),
  };
  const findings = [...inspectCollection(facts, replaced, lostBefore), ...more.findings];
  return builtCollection(context, written, replaced, findings);
}

/** Fields that were added and removed; the first data of an axis has neither. */
function changedFields(replaced: StoredAxis | null, written: StoredAxis) {
  if (replaced === null) return { fieldsNew: [], fieldsMissing: [] };
  const before = replaced.fields.map(({ name }) => name);
  const after = written.fields.map(({ name }) => name);
  return {
    fieldsNew: after.filter((name) => !before.includes(name)),
    fieldsMissing: before.filter((name) => !after.includes(name)),
  };
}
