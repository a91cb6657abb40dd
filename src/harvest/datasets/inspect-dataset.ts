import type { StoredAxis } from '../../data/axis.ts';
import type { WrittenAxis } from '../../data/snapshot/axis-writer.ts';
import { RecordsFile } from '../../data/snapshot/records.ts';
import { builtCollection, type AxisContext } from '../runs/axis-source.ts';
import { inspectCollection, type GateFinding, type UnansweredFacts } from '../runs/gates.ts';
import type { CollectedResponses } from '../runs/collect-axis.ts';
import { totalsOf } from '../runs/request-totals.ts';
import { countPreviousDamage } from '../runs/damaged-text.ts';
import { builtFolder } from '../runs/stored-axes.ts';
import { countNamedPlaces } from '../runs/named-places.ts';
import type { RunContext } from '../runs/run-context.ts';
import type { Collection } from '../runs/source.ts';

/** Compares a built dataset with the served one of the same origin, and collects the findings. */
export function inspectDataset(
  written: WrittenAxis,
  context: AxisContext,
  { origin, previousLoss }: RunContext,
  extra: {
    /** The requests of a table; empty for a file. */
    readonly requests: CollectedResponses['requests'];
    /** Absent for a file. */
    readonly unanswered?: UnansweredFacts;
    readonly findings: readonly GateFinding[];
  },
): Collection<WrittenAxis> {
  const { code } = written.stored.axis;
  const served = context.stored.served(code);
  const predecessor = served?.axis.origin === origin ? served : null;
  using previous = predecessor === null ? null : context.stored.openServed(code);
  using records = RecordsFile.in(builtFolder(context.data, code));
  const pages = extra.requests.flatMap((request) => request.pages);
  const damaged = pages.reduce((sum, { facts: { damagedRows } }) => sum + damagedRows, 0);
  const facts = {
    written: written.stored,
    accumulates: false,
    mayBeEmpty: true,
    ...(extra.unanswered ?? allAnswered),
    ...totalsOf(extra.requests),
    duplicateKeys: 0,
    mergedKeys: 0,
    damaged,
    previousDamaged: countPreviousDamage(previous, damaged, written.stored.rows),
    ...changedFields(predecessor, written.stored),
    // A column has the role of a coordinate only if its values are within the country.
    positions: 0,
    positionsAbroad: 0,
    // A table is one request.
    crossedAnswers: 0,
    namedPlaces: previous === null ? null : countNamedPlaces(previous.stored.fields, records),
    previousPlaces:
      previous === null ? null : countNamedPlaces(previous.stored.fields, previous.records),
  };
  const findings = [...inspectCollection(facts, predecessor, previousLoss), ...extra.findings];
  return builtCollection(context, written, predecessor, findings);
}

const allAnswered: UnansweredFacts = {
  requests: 1,
  unanswered: 0,
  pages: 1,
  pagesAbsent: 0,
  unansweredNames: [],
  unansweredExample: null,
};

/** Names of added and removed fields; both are empty for the first data of an axis. */
function changedFields(predecessor: StoredAxis | null, written: StoredAxis) {
  if (predecessor === null) return { fieldsNew: [], fieldsMissing: [] };
  const previousNames = predecessor.fields.map(({ name }) => name);
  const newNames = written.fields.map(({ name }) => name);
  return {
    fieldsNew: newNames.filter((name) => !previousNames.includes(name)),
    fieldsMissing: previousNames.filter((name) => !newNames.includes(name)),
  };
}
