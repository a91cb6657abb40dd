import type { StoredAxis } from '../../data/axis.ts';
import type { AxisContext, BuiltAxis } from '../runs/axis-source.ts';
import type { GateFinding } from '../runs/gates.ts';
import { listNames } from '../runs/request-failed.ts';
import type { RunContext } from '../runs/run-context.ts';
import type { Collection } from '../runs/source.ts';
import type { ImportedVersion } from './import-version.ts';
import { inspectDataset } from './inspect-dataset.ts';

/**
 * Compares the tables of a file with the served ones. All are published, or none: a file with one table that has lost
 * its rows is likely to be damaged.
 */
export function inspectTables(
  {
    written,
    otherTables,
    findings,
  }: Pick<ImportedVersion, 'written' | 'otherTables'> & {
    readonly findings: readonly GateFinding[];
  },
  context: AxisContext,
  run: RunContext,
): Collection<BuiltAxis> {
  const main = inspectDataset(written, context, run, { requests: [], findings });
  const others = otherTables.map((each) => {
    const inspected = inspectDataset(each, context, run, { requests: [], findings: [] });
    const { title } = each.stored.axis;
    const findingsWithTitle = inspected.findings.map((one) => ({
      ...one,
      detail: `${title}: ${one.detail}`,
    }));
    return { ...inspected, findings: findingsWithTitle };
  });
  const all = [main, ...others];
  const codes = [written, ...otherTables].map((each) => each.stored.axis.code);
  const gone = goneTables(written.stored, codes, context);
  const changed = others.flatMap(({ data }) => data ?? []);
  const isServed = main.data === null;
  return {
    data: isServed && changed.length === 0 ? null : { ...written, otherTables: changed, isServed },
    rows: main.rows,
    findings: [...joinByKind(all.flatMap((each) => each.findings)), ...gone],
    hasPrevious: main.hasPrevious,
    discard: () => all.forEach((each) => each.discard?.()),
  };
}

/** Finding for served tables of an earlier version of the file that this version does not have. */
export function goneTables(
  { axis }: Pick<StoredAxis, 'axis'>,
  codes: Iterable<string>,
  { stored }: Pick<AxisContext, 'stored'>,
): GateFinding[] {
  const present = new Set(codes);
  const gone = stored
    .servedOtherTables()
    .filter(
      ({ code, portalId, origin }) =>
        portalId === axis.portalId && origin === axis.origin && !present.has(code),
    );
  if (gone.length === 0) return [];
  const names = listNames(gone.map(({ title, code }) => `${title} (${code})`));
  const detail = `The file no longer has ${names}; their last records stay.`;
  return [{ kind: 'tables_gone', count: gone.length, detail }];
}

/** Joins findings of the same kind into one. */
function joinByKind(findings: readonly GateFinding[]): GateFinding[] {
  return [...Map.groupBy(findings, ({ kind }) => kind).values()].map((same) => ({
    kind: same[0]!.kind,
    count: same.reduce((sum, { count }) => sum + count, 0),
    detail: same.map(({ detail }) => detail).join(' '),
  }));
}
