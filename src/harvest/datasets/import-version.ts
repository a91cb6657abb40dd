import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Axis, Origin } from '../../data/axis.ts';
import { updateCycleOf } from '../../ingest/catalog/terms.ts';
import { withoutHarmless, type FileFindings } from '../../ingest/load/findings.ts';
import { importAxis, type AxisReport } from '../../ingest/load/import-axis.ts';
import { identityOf, type CatalogLookup } from '../../ingest/load/identity.ts';
import type { GateFinding } from '../runs/gates.ts';
import type { StoredVersion } from './version-store.ts';

interface ImportVersionOptions {
  readonly path: string;
  readonly catalog: CatalogLookup;
  readonly origin: Origin;
  /** Moment of the run, in milliseconds since 1970. */
  readonly moment: number;
  /** Deleted and created again. */
  readonly folder: string;
  readonly onRows: (rows: number) => void;
}

/** Reads a stored version into the folder of an axis, as a load would. Throws `FileRefused`. */
export async function importVersion(
  version: StoredVersion,
  options: ImportVersionOptions,
): Promise<AxisReport> {
  const { path, catalog, origin, moment, folder, onRows } = options;
  // A load also writes beside its folder, so both get a parent that a later run can delete.
  const parent = `${folder}.reading`;
  for (const each of [parent, folder]) rmSync(each, { recursive: true, force: true });
  const inner = join(parent, 'axis');
  mkdirSync(inner, { recursive: true });
  const axis = describeFile(version, catalog, origin, moment);
  const file = { files: [path], sheet: null, columns: null, storedColumns: null };
  // A dataset of the portal is one axis, so a table beside the main one is a finding.
  const task = { axis, ...file, hasBesides: false, previousFindings: [], folder: inner };
  const report = await importAxis(task, onRows);
  renameSync(inner, folder);
  rmSync(parent, { recursive: true });
  return report;
}

/** Describes the axis of a dataset by its catalog entry and, where that has no value, by its page. */
export function describeFile(
  version: Pick<StoredVersion, 'number' | 'title' | 'date' | 'provider' | 'cycle' | 'license'>,
  catalog: CatalogLookup,
  origin: Origin,
  moment: number,
): Omit<Axis, 'keyFields'> {
  const { number, date, provider, cycle, license } = version;
  // The title without its date is the title of the dataset.
  const title = version.title.replace(/_\d{8}$/, '') || `file_${number}`;
  const file = { path: title, title, portalId: number, license };
  const { axis } = identityOf(file, { origin, axis: `file_${number}` }, catalog, new Date(moment));
  return {
    ...axis,
    sourceModified: date ?? axis.sourceModified,
    provider: axis.provider ?? (provider === null ? null : { name: provider, code: null }),
    updateCycle: axis.updateCycle ?? updateCycleOf(cycle),
  };
}

/** Joins the findings about a file into one, without the harmless ones. */
export function summariseFindings(findings: readonly FileFindings[]): GateFinding[] {
  const odd = withoutHarmless(findings);
  if (odd.length === 0) return [];
  const count = odd.reduce((sum, each) => sum + each.count, 0);
  const kinds = odd.map((each) => `${each.kind} ${each.count}`).join(', ');
  const [first] = odd[0]?.examples ?? [];
  const place = first?.row === null || first === undefined ? '' : `row ${first.row}: `;
  const detail = first === undefined ? '' : ` First: ${place}${first.detail.en}`;
  return [{ kind: 'read_oddly', count, detail: `${kinds}.${detail}` }];
}
