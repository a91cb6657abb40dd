import { renameSync } from 'node:fs';
import type { StoredAxis } from '../../data/axis.ts';
import { qualityOf } from '../../data/finding.ts';
import { rewriteAxis } from '../../data/snapshot/json-file.ts';
import { fileNames } from '../../data/snapshot/layout.ts';
import { datasetOfFileName } from '../files/dataset-name.ts';
import type { StoredAxes } from './catalog-lookup.ts';
import { deriveIdentity, columnsTitle, hasSimilarColumns, type Identity } from './identity.ts';
import type { AxisReport, OtherTable, TableReport } from './import-axis.ts';
import type { PlannedAxis } from './plan.ts';

/** Columns that a table must match to replace a stored axis; null if any table may replace it, or if there is none. */
export function columnsToMatch(stored: StoredAxis | null): readonly string[] | null {
  if (stored === null || stored.axis.origin === 'sample') return null;
  return stored.fields.map(({ name }) => name);
}

/**
 * Another identity for an imported axis, if the stored axis with its code must stay; null if it may replace that axis.
 * `isTaken` is true for the codes of other tables.
 */
export function identityBesideStored(
  { identity, files }: PlannedAxis,
  { written: { stored: imported } }: AxisReport,
  previous: StoredAxis | null,
  isTaken: (code: string) => boolean,
): Identity | null {
  const previousColumns = columnsToMatch(previous);
  const columns = imported.fields.map(({ name }) => name);
  if (previousColumns === null || hasSimilarColumns(columns, previousColumns)) return null;
  const { title } = datasetOfFileName(files[0]!.path);
  // A code that was derived from the title does not distinguish tables with the same title.
  const distinguishing = identity.isProvisional ? columns : null;
  return deriveIdentity(identity, { title, columns: distinguishing, place: null }, isTaken);
}

/** The identity of a table beside the main table of its file. `isTaken` is true for codes of other tables. */
export function identityBesideMain(
  main: Identity,
  { name, written }: OtherTable,
  isTaken: (code: string) => boolean,
): Identity {
  const columns = written.stored.fields.map((field) => field.name);
  const table = { title: name ?? '', columns: name === null ? columns : null, place: null };
  const { axis, ...beside } = deriveIdentity(main, table, isTaken);
  const title = `${main.axis.title} (${name ?? columnsTitle(columns)})`;
  return { ...beside, axis: { ...axis, title } };
}

/** Moves an imported axis to another folder and gives it another identity. */
export function moveAxis(
  from: string,
  to: string,
  report: TableReport,
  identity: Identity,
  axes: Pick<StoredAxes, 'storedAxis'>,
): TableReport {
  const { stored, files } = report.written;
  const previous = axes.storedAxis(identity.axis.code)?.quality?.findings ?? [];
  const since = new Map(previous.map((finding) => [finding.kind, finding.since]));
  const { collectedAt } = identity.axis;
  const moved: StoredAxis = {
    ...stored,
    axis: { ...identity.axis, keyFields: stored.axis.keyFields },
    ...(stored.quality && { quality: qualityOf(stored.quality.findings, since, collectedAt) }),
  };
  renameSync(from, to);
  const axisFile = rewriteAxis(to, moved);
  return { ...report, written: { stored: moved, files: { ...files, [fileNames.axis]: axisFile } } };
}
