import { renameSync } from 'node:fs';
import type { StoredAxis } from '../../data/axis.ts';
import { qualityOf } from '../../data/finding.ts';
import { rewriteAxis } from '../../data/snapshot/json-file.ts';
import { fileNames } from '../../data/snapshot/layout.ts';
import { datasetOfFileName } from '../files/dataset-name.ts';
import type { StoredAxes } from './catalog-lookup.ts';
import { besideIdentity, columnsTitle, hasSimilarColumns, type Identity } from './identity.ts';
import type { AxisReport, OtherTable, TableReport } from './import-axis.ts';
import type { PlannedAxis } from './plan.ts';

/** Column names of a stored axis that a table with other columns does not replace; null if there is none. */
export function guardedColumns(stored: StoredAxis | null): readonly string[] | null {
  if (stored === null || stored.axis.origin === 'sample') return null;
  return stored.fields.map(({ name }) => name);
}

/**
 * The identity of an imported axis beside the stored one with its code; null if it may replace that one. `isTaken` is
 * true for the codes of other tables.
 */
export function identityBesideStored(
  { identity, files }: PlannedAxis,
  { written }: AxisReport,
  stored: StoredAxis | null,
  isTaken: (code: string) => boolean,
): Identity | null {
  const guarded = guardedColumns(stored);
  const columns = written.stored.fields.map(({ name }) => name);
  if (guarded === null || hasSimilarColumns(columns, guarded)) return null;
  const { title } = datasetOfFileName(files[0]!.path);
  const ownColumns = identity.isProvisional ? columns : null;
  return besideIdentity(identity, { title, columns: ownColumns, place: null }, isTaken);
}

/** The identity of a table beside the main table of its file. `isTaken` is true for codes of other tables. */
export function identityBesideMain(
  main: Identity,
  { name, written }: OtherTable,
  isTaken: (code: string) => boolean,
): Identity {
  const columns = written.stored.fields.map((field) => field.name);
  const table = { title: name ?? '', columns: name === null ? columns : null, place: null };
  const { axis, ...beside } = besideIdentity(main, table, isTaken);
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
  const facts = rewriteAxis(to, moved);
  return { ...report, written: { stored: moved, files: { ...files, [fileNames.axis]: facts } } };
}
