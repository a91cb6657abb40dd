import type { StoredAxis } from '../../data/axis.ts';
import type { WrittenAxis } from '../../data/snapshot/axis-writer.ts';
import { RecordsFile } from '../../data/snapshot/records.ts';
import type { Attempt, AttemptOptions } from '../runs/attempt.ts';
import { lostBefore } from '../runs/earlier-runs.ts';
import { inspect, type Finding } from '../runs/gates.ts';
import { builtFolder } from '../runs/held.ts';
import { namedPlaces } from '../runs/named-places.ts';
import type { Run } from '../runs/runs.ts';

/** What was built of a dataset, with everything odd in it, against what is held from the same origin. */
export function inspectDataset(
  written: WrittenAxis,
  run: Run,
  { data, database, held, origin, runs }: AttemptOptions,
  more: {
    readonly mismatch: number;
    /** Lowest and highest total of lists that changed while they were paged. */
    readonly moved?: readonly (readonly [number, number])[];
    readonly findings: readonly Finding[];
  },
): Attempt {
  const { code } = written.stored.axis;
  const folder = builtFolder(data, code);
  const served = held.served(code);
  const replaced = served?.axis.origin === origin ? served : null;
  using before = replaced === null ? null : held.openServed(code);
  using records = new RecordsFile(folder);
  const came = {
    written: written.stored,
    accumulates: false,
    questions: 1,
    refused: 0,
    refusedExample: null,
    mismatch: more.mismatch,
    moved: more.moved?.length ?? 0,
    movedExample: more.moved?.[0] ?? null,
    duplicateKeys: 0,
    mergedKeys: 0,
    damaged: 0,
    ...changedFields(replaced, written.stored),
    // A column is a position only where its values lie in the country.
    positions: 0,
    abroad: 0,
    places: before === null ? null : namedPlaces(before.held.fields, records),
    placesBefore: before === null ? null : namedPlaces(before.held.fields, before.records),
  };
  const findings = [...inspect(came, replaced, lostBefore(database, code)), ...more.findings];
  const { requests } = runs.get(run.id);
  return { built: { written, folder }, held: replaced, findings, requests };
}

/** Fields that came and went; a first holding has neither. */
function changedFields(held: StoredAxis | null, written: StoredAxis) {
  if (held === null) return { fieldsNew: [], fieldsMissing: [] };
  const before = held.fields.map(({ name }) => name);
  const after = written.fields.map(({ name }) => name);
  return {
    fieldsNew: after.filter((name) => !before.includes(name)),
    fieldsMissing: before.filter((name) => !after.includes(name)),
  };
}
