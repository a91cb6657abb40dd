import { rmSync } from 'node:fs';
import { basename } from 'node:path';
import type { StoredAxis } from '../../data/axis.ts';
import type { SnapshotBuilder } from '../../data/snapshot/builder.ts';
import type { StoredAxes } from './catalog-lookup.ts';
import type { FileFindings } from './findings.ts';
import type { Identity } from './identity.ts';
import type { AxisReport, TableReport } from './import-axis.ts';
import type { PlannedAxis } from './plan.ts';
import { identityBesideMain, identityBesideStored, moveAxis } from './stored-axis-guard.ts';

/** An imported axis, as the report of its load has it. */
export interface LoadedAxis {
  readonly code: string;
  readonly title: string;
  readonly rows: number;
  readonly fields: number;
  readonly isProvisional: boolean;
  /** The code that the file’s name gives, if another table has it; else null. */
  readonly insteadOf: string | null;
  /** Code of the main table of the same file; null for a main table. */
  readonly mainCode: string | null;
  /** Numbers of the datasets with the file’s title, if neither the title nor the columns decide between them. */
  readonly candidates: readonly string[];
  readonly files: readonly string[];
  /** The previous version of the axis; null if there is none. */
  readonly replaced: { readonly rows: number; readonly hasOtherFields: boolean } | null;
  /** True if the stored axis is equal byte for byte and is not replaced. */
  readonly isUnchanged: boolean;
  readonly findings: readonly FileFindings[];
}

/** Puts imported tables into the build of a snapshot, each under a code that no other table has. */
export class LoadedAxes {
  readonly #builder: SnapshotBuilder;
  readonly #catalog: StoredAxes;
  readonly #mayReplace: boolean;
  readonly #codes: Set<string>;

  /** With `mayReplace` a table replaces a stored one with other columns. */
  constructor(
    plan: readonly PlannedAxis[],
    builder: SnapshotBuilder,
    catalog: StoredAxes,
    mayReplace: boolean,
  ) {
    this.#builder = builder;
    this.#catalog = catalog;
    this.#mayReplace = mayReplace;
    this.#codes = new Set(plan.map(({ identity }) => identity.axis.code));
  }

  /** Puts the tables of a planned axis, the main one from `folder`; axes that are stored already are left out. */
  put(planned: PlannedAxis, folder: string, report: AxisReport): LoadedAxis[] {
    const isTaken = (code: string): boolean => this.#codes.has(code);
    const stored = this.#catalog.storedAxis(planned.identity.axis.code);
    const beside = this.#mayReplace ? null : identityBesideStored(planned, report, stored, isTaken);
    const identity = beside ?? planned.identity;
    const main = this.#putTable(planned, identity, folder, report);
    const others = report.otherTables.map((table) => {
      const own = identityBesideMain(planned.identity, table, isTaken);
      return { ...this.#putTable(planned, own, table.folder, table), mainCode: identity.axis.code };
    });
    return [main, ...others];
  }

  #putTable(
    planned: PlannedAxis,
    identity: Identity,
    folder: string,
    read: TableReport,
  ): LoadedAxis {
    const { code } = identity.axis;
    this.#codes.add(code);
    const isPlanned = identity === planned.identity;
    const target = isPlanned ? folder : this.#builder.stageAxis(code);
    const report = isPlanned ? read : moveAxis(folder, target, read, identity, this.#catalog);
    const loaded = loadedAxis({ ...planned, identity }, report, this.#catalog);
    // The builder copies an axis without a folder from the previous snapshot.
    if (loaded.isUnchanged) rmSync(target, { recursive: true });
    else this.#builder.putAxis(code, report.written.files);
    return loaded;
  }
}

function loadedAxis(
  { identity, files }: PlannedAxis,
  { written, findings }: TableReport,
  catalog: StoredAxes,
): LoadedAxis {
  const previous = catalog.storedAxis(identity.axis.code);
  return {
    code: identity.axis.code,
    title: identity.axis.title,
    rows: written.stored.rows,
    fields: written.stored.fields.length,
    isProvisional: identity.isProvisional,
    insteadOf: identity.insteadOf ?? null,
    mainCode: null,
    candidates: candidateNumbers(identity),
    files: files.map(({ path }) => basename(path)),
    replaced:
      previous === null
        ? null
        : {
            rows: previous.rows,
            hasOtherFields: fieldNames(previous) !== fieldNames(written.stored),
          },
    isUnchanged: catalog.isStored(written),
    findings,
  };
}

function candidateNumbers({ candidates }: Identity): string[] {
  if (candidates === undefined) return [];
  const entries = candidates.same.length > 0 ? candidates.same : candidates.near;
  return entries.map(({ portalId }) => portalId);
}

function fieldNames({ fields }: StoredAxis): string {
  return JSON.stringify(fields.map(({ name }) => name));
}
