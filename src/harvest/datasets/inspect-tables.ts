import type { StoredAxis } from '../../data/axis.ts';
import type { AxisContext, BuiltAxis } from '../runs/axis-source.ts';
import type { GateFinding } from '../runs/gates.ts';
import { listNames } from '../runs/request-failed.ts';
import type { RunContext } from '../runs/run-context.ts';
import type { Collection } from '../runs/source.ts';
import type { ImportedVersion } from './import-version.ts';
import { inspectDataset } from './inspect-dataset.ts';

/**
 * Compares the tables of a file with the served ones. They are published or kept together: a file with one table that
 * has lost its rows is likely to be damaged.
 */
export function inspectTables(
  {
    written,
    besides,
    findings,
  }: Pick<ImportedVersion, 'written' | 'besides'> & {
    readonly findings: readonly GateFinding[];
  },
  context: AxisContext,
  run: RunContext,
): Collection<BuiltAxis> {
  const main = inspectDataset(written, context, run, { requests: [], findings });
  const others = besides.map((each) => {
    const inspected = inspectDataset(each, context, run, { requests: [], findings: [] });
    const { title } = each.stored.axis;
    const named = inspected.findings.map((one) => ({ ...one, detail: `${title}: ${one.detail}` }));
    return { ...inspected, findings: named };
  });
  const all = [main, ...others];
  const codes = [written, ...besides].map((each) => each.stored.axis.code);
  const gone = goneTables(written.stored, codes, context);
  const changed = others.flatMap(({ data }) => data ?? []);
  const isServed = main.data === null;
  return {
    data: isServed && changed.length === 0 ? null : { ...written, besides: changed, isServed },
    rows: main.rows,
    findings: [...joinByKind(all.flatMap((each) => each.findings)), ...gone],
    hasPrevious: main.hasPrevious,
    discard: () => all.forEach((each) => each.discard?.()),
  };
}

/** The finding of served tables that were collected from an earlier version of the file and are not in this one. */
export function goneTables(
  { axis }: Pick<StoredAxis, 'axis'>,
  codes: Iterable<string>,
  { stored }: Pick<AxisContext, 'stored'>,
): GateFinding[] {
  const present = new Set(codes);
  const gone = stored
    .servedBesides()
    .filter(
      ({ code, portalId, origin }) =>
        portalId === axis.portalId && origin === axis.origin && !present.has(code),
    );
  if (gone.length === 0) return [];
  const names = listNames(gone.map(({ title, code }) => `${title} (${code})`));
  const detail = `The file no longer has ${names}; their last records stay.`;
  return [{ kind: 'tables_gone', count: gone.length, detail }];
}

/** One finding of each kind. */
function joinByKind(findings: readonly GateFinding[]): GateFinding[] {
  return [...Map.groupBy(findings, ({ kind }) => kind).values()].map((same) => ({
    kind: same[0]!.kind,
    count: same.reduce((sum, { count }) => sum + count, 0),
    detail: same.map(({ detail }) => detail).join(' '),
  }));
}
