import { createHash } from 'node:crypto';
import { countedTables, movedTables, type MovedTable } from './tables.ts';
import { readLine } from './copy-text.ts';

/** A members' store that a move reads. Nothing else writes to it meanwhile. */
export interface MoveSource extends AsyncDisposable {
  /** Rows after a key in the order of keys, as lines of COPY. */
  page(table: MovedTable, after: Key | null, limit: number): Promise<readonly string[]>;
  /** The greatest id that a table has ever had; 0 for none. */
  lastId(table: string): Promise<number>;
}

/** A store that a move fills. No service opens it before the end. */
export interface MoveTarget extends MoveSource {
  /** The last row in the order of keys; null without rows. */
  lastLine(table: MovedTable): Promise<string | null>;
  append(table: MovedTable, lines: readonly string[]): Promise<void>;
  setLastId(table: string, id: number): Promise<void>;
  /** Called after the last row: the target is compared next. */
  settle(): Promise<void>;
  /** Called after the comparison: makes the rows durable. */
  finish(): Promise<void>;
}

/** Values of the columns of a key, as a line of COPY spells them. */
export type Key = readonly string[];

/** A table in both stores, after the comparison of all rows. */
export interface MovedRows {
  readonly table: string;
  readonly rows: number;
  /** SHA-256 over the lines of COPY, in the order of keys. */
  readonly sha256: string;
}

interface MoveProgress {
  readonly step: 'copy' | 'compare';
  readonly table: string;
  readonly rows: number;
}

/**
 * Copies every table and compares all rows: those that were read for the copy with those that the target has then. Goes
 * on where an interrupted move stopped: rows come in the order of keys, each page in a transaction. Throws an `Error` that names the tables that differ.
 */
export async function moveStore(
  source: MoveSource,
  target: MoveTarget,
  onProgress: (progress: MoveProgress) => void,
): Promise<readonly MovedRows[]> {
  const copied = new Map<MovedTable, MovedRows | null>();
  for (const table of movedTables) {
    copied.set(table, await copyTable(source, target, table, onProgress));
  }
  for (const name of countedTables) await target.setLastId(name, await source.lastId(name));
  await target.settle();
  const moved: MovedRows[] = [];
  const different = new Set<string>();
  for (const table of movedTables) {
    const before = copied.get(table) ?? (await digestOf(source, table, onProgress));
    const after = await digestOf(target, table, onProgress);
    if (before.rows !== after.rows || before.sha256 !== after.sha256) different.add(titleOf(table));
    moved.push(after);
  }
  for (const name of countedTables) {
    if ((await source.lastId(name)) !== (await target.lastId(name))) different.add(name);
  }
  if (different.size > 0) throw differentTables([...different]);
  await target.finish();
  return moved;
}

/** Copies the rows that the target lacks. Returns what it read if that is the whole table, else null. */
async function copyTable(
  source: MoveSource,
  target: MoveTarget,
  table: MovedTable,
  onProgress: (progress: MoveProgress) => void,
): Promise<MovedRows | null> {
  const last = await target.lastLine(table);
  const digest = new Digest(table);
  let written = Promise.resolve();
  await forEachPage(source, table, last === null ? null : keyOf(table, last), async (lines) => {
    // The source reads the next page while the target stores this one.
    await written;
    written = target.append(table, lines);
    // Awaited above or below; until then a failure is not unhandled.
    written.catch(() => {});
    digest.add(lines);
    onProgress({ step: 'copy', table: titleOf(table), rows: digest.rows });
  });
  await written;
  return last === null ? digest.end() : null;
}

async function digestOf(
  store: MoveSource,
  table: MovedTable,
  onProgress: (progress: MoveProgress) => void,
): Promise<MovedRows> {
  const digest = new Digest(table);
  await forEachPage(store, table, null, async (lines) => {
    digest.add(lines);
    onProgress({ step: 'compare', table: titleOf(table), rows: digest.rows });
  });
  return digest.end();
}

class Digest {
  rows = 0;
  readonly #table: string;
  readonly #hash = createHash('sha256');

  constructor(table: MovedTable) {
    this.#table = titleOf(table);
  }

  add(lines: readonly string[]): void {
    this.#hash.update(`${lines.join('\n')}\n`);
    this.rows += lines.length;
  }

  end(): MovedRows {
    return { table: this.#table, rows: this.rows, sha256: this.#hash.digest('hex') };
  }
}

async function forEachPage(
  store: MoveSource,
  table: MovedTable,
  start: Key | null,
  visit: (lines: readonly string[]) => Promise<void>,
): Promise<void> {
  let after = start;
  for (;;) {
    const lines = await store.page(table, after, pageRows);
    if (lines.length > 0) await visit(lines);
    if (lines.length < pageRows) return;
    after = keyOf(table, lines.at(-1)!);
  }
}

function titleOf({ title, name }: MovedTable): string {
  return title ?? name;
}

function keyOf({ columns, key }: MovedTable, line: string): Key {
  const names = Object.keys(columns);
  const values = readLine(line);
  // Columns of a key are never null.
  return key.map((column) => values[names.indexOf(column)]!);
}

function differentTables(tables: readonly string[]): Error {
  return new Error(
    `The stores differ after the copy, in ${tables.join(', ')}: the source was changed since an interrupted move began. Remove the target and move again.`,
  );
}

const pageRows = 20_000;
