import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Axis, Origin, StoredAxis } from '../../data/axis.ts';
import type { WrittenAxis } from '../../data/snapshot/axis-writer.ts';
import { updateCycleOf } from '../../ingest/catalog/terms.ts';
import { withoutHarmless, type FileFindings } from '../../ingest/load/findings.ts';
import { importAxis } from '../../ingest/load/import-axis.ts';
import { identityOf, type CatalogLookup } from '../../ingest/load/identity.ts';
import {
  columnsToMatch,
  identityBesideMain,
  moveAxis,
} from '../../ingest/load/stored-axis-guard.ts';
import type { GateFinding } from '../runs/gates.ts';
import type { StoredVersion } from './version-store.ts';

interface ImportVersionOptions {
  readonly path: string;
  readonly catalog: CatalogLookup;
  readonly origin: Origin;
  /** Time of the run, in milliseconds since 1970. */
  readonly moment: number;
  /** Folder of an axis by its code; it is deleted and created again. */
  readonly folderOf: (code: string) => string;
  /** The served axis with a code; null if there is none. */
  readonly storedAxis: (code: string) => StoredAxis | null;
  readonly onRows: (rows: number) => void;
}

export interface ImportedVersion {
  readonly written: WrittenAxis;
  /** The other tables of the file, each of which becomes an axis. */
  readonly otherTables: readonly WrittenAxis[];
  readonly findings: readonly FileFindings[];
}

/** Reads a stored version into the folders of its axes, as a load would. Throws `FileRefused`. */
export async function importVersion(
  version: StoredVersion,
  options: ImportVersionOptions,
): Promise<ImportedVersion> {
  const { path, catalog, origin, moment, folderOf, storedAxis, onRows } = options;
  const code = `file_${version.number}`;
  const folder = folderOf(code);
  // An import also writes next to its folder, so it gets a parent folder that a later run can delete.
  const parent = `${folder}.reading`;
  for (const each of [parent, folder]) rmSync(each, { recursive: true, force: true });
  const inner = join(parent, 'axis');
  mkdirSync(inner, { recursive: true });
  const axis = describeFile(version, catalog, origin, moment);
  const storedColumns = columnsToMatch(storedAxis(code));
  const file = { files: [path], sheet: null, columns: null, storedColumns };
  const { written, findings, otherTables } = await importAxis(
    { axis, ...file, previousFindings: [], folder: inner },
    onRows,
  );
  renameSync(inner, folder);
  const codes = new Set([code]);
  const movedTables = otherTables.map((table) => {
    const main = { axis, isProvisional: false };
    const identity = identityBesideMain(main, table, (each) => codes.has(each));
    codes.add(identity.axis.code);
    const target = folderOf(identity.axis.code);
    rmSync(target, { recursive: true, force: true });
    mkdirSync(dirname(target), { recursive: true });
    return moveAxis(table.folder, target, table, identity, { storedAxis });
  });
  rmSync(parent, { recursive: true });
  return {
    written,
    otherTables: movedTables.map((table) => table.written),
    findings: [...findings, ...otherTables.flatMap((table) => table.findings)],
  };
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
