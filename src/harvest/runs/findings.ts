import type { DatabaseSync } from 'node:sqlite';
import type { Quality } from '../../data/axis.ts';
import { qualityOf } from '../../data/finding.ts';
import { inTransaction } from '../../kernel/sqlite.ts';
import type { GateFinding, GateKind } from './gates.ts';
import { runLimits } from './limits.ts';

interface StoredFinding extends GateFinding {
  readonly axis: string;
  /** Time of the first of the successive collections with this finding, in milliseconds since 1970. */
  readonly since: number;
}

/** Replaces the findings about an axis; a finding that repeats keeps its `since`. */
export function replaceFindings(
  database: DatabaseSync,
  axis: string,
  findings: readonly GateFinding[],
  now: number,
): Quality {
  const since = new Map(storedFindings(database, axis).map((each) => [each.kind, each.since]));
  const insert = database.prepare('INSERT INTO findings VALUES (?, ?, ?, ?, ?)');
  inTransaction(database, () => {
    database.prepare('DELETE FROM findings WHERE axis = ?').run(axis);
    for (const { kind, count, detail } of findings) {
      const text = detail.slice(0, runLimits.messageLengthMax);
      insert.run(axis, kind, count, since.get(kind) ?? now, text);
    }
  });
  const sinceByKind = new Map([...since].map(([kind, at]) => [kind, new Date(at).toISOString()]));
  return qualityOf(findings, sinceByKind, new Date(now).toISOString());
}

/** The findings about one axis, or about all. */
export function storedFindings(database: DatabaseSync, axis?: string): StoredFinding[] {
  const columns = 'SELECT axis, kind, count, since, detail FROM findings';
  const rows =
    axis === undefined
      ? database.prepare(`${columns} ORDER BY axis, kind`).all()
      : database.prepare(`${columns} WHERE axis = ? ORDER BY kind`).all(axis);
  return rows.map((row) => ({
    axis: String(row['axis']),
    // Only `replaceFindings` writes this table.
    kind: String(row['kind']) as GateKind,
    count: Number(row['count']),
    since: Number(row['since']),
    detail: String(row['detail']),
  }));
}
