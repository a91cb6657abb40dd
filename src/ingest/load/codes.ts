import { dirname, relative, resolve } from 'node:path';
import { datasetOfFileName } from '../files/dataset-name.ts';
import {
  deriveIdentity,
  hasSimilarColumns,
  isPortalTitle,
  type Identity,
  type FilePlace,
  type TableName,
} from './identity.ts';
import type { FileTable } from './versions.ts';

/** Column names of the axes that are stored already, by code; null if there is none to protect. */
export type StoredColumns = (code: string) => readonly string[] | null;

/**
 * Assigns codes to the tables of a load. No two tables share a code, and a table beside a main one gets a title that no
 * other table has.
 *
 * The main table of a code keeps it: the table that is stored under it already or, if none is, the one with the
 * title of the dataset or the most bytes. A stored table is never replaced by one with other columns. The others get
 * codes of their own (`deriveIdentity`). Tables with the same generic title and columns have no main table: nothing
 * but their folders distinguishes them.
 */
export class CodeTable {
  readonly #storedColumns: StoredColumns;
  readonly #taken = new Set<string>();
  readonly #titles = new Set<string>();
  readonly #groups: FileTable[][] = [];

  constructor(storedColumns: StoredColumns) {
    this.#storedColumns = storedColumns;
  }

  /** Takes the code of a table that no other table of the load has. */
  take(identity: Identity): Identity {
    this.#taken.add(identity.axis.code);
    this.#titles.add(identity.axis.title);
    return identity;
  }

  /** Adds all tables that have the same code. */
  add(tables: readonly FileTable[]): void {
    this.#groups.push([...tables]);
  }

  /** The added tables with their codes: all main tables first, so that none loses its code to another. */
  assign(): { identity: Identity; table: FileTable }[] {
    const assigned: { identity: Identity; table: FileTable }[] = [];
    const others: { names: TableName[]; tables: NamedTable[] }[] = [];
    for (const group of this.#groups) {
      const tables = distinguish(group);
      const main = this.#mainOf(tables);
      if (main !== null) assigned.push({ identity: this.take(main.identity), table: main.table });
      const beside = tables.filter((table) => table !== main);
      others.push({ tables: beside, names: namesBeside(beside, main) });
    }
    for (const { tables, names } of others) {
      for (const [index, { identity, table }] of tables.entries()) {
        const isTaken = (code: string): boolean => this.#taken.has(code);
        const own = deriveIdentity(identity, names[index]!, isTaken, this.#titles);
        const { insteadOf: _, ...alone } = own;
        assigned.push({ identity: this.take(this.#isInUse(identity) ? own : alone), table });
      }
    }
    return assigned;
  }

  /** True if a table of this load or a stored axis has the code; else its tables are beside no main table. */
  #isInUse({ axis }: Identity): boolean {
    return this.#taken.has(axis.code) || this.#storedColumns(axis.code) !== null;
  }

  #mainOf(tables: readonly NamedTable[]): NamedTable | null {
    const code = tables[0]?.identity.axis.code;
    if (code === undefined) return null;
    const stored = this.#storedColumns(code);
    if (stored === null) return tables.find(mayBeMain) ?? null;
    const isStored = ({ table }: NamedTable): boolean => hasSimilarColumns(table.columns, stored);
    return tables.find((table) => mayBeMain(table) && isStored(table)) ?? null;
  }
}

interface NamedTable {
  readonly table: FileTable;
  readonly identity: Identity;
  /** Title in the name of the first file. */
  readonly title: string;
  /** Place that distinguishes the table from others with the same title and columns; null if there are none. */
  readonly place: FilePlace | null;
}

/** Adds the facts that distinguish tables with the same code, and sorts them: the best main table first. */
function distinguish(tables: readonly FileTable[]): NamedTable[] {
  const titled = tables.map((table) => {
    const { file, identity } = table.files[0]!;
    const { title, titleSource } = datasetOfFileName(file.path);
    return { table, identity, title: titleSource === 'none' ? identity.axis.title : title };
  });
  const sameShapes = Map.groupBy(titled, ({ table, title }) => shapeKey(title, table));
  return [...sameShapes.values()]
    .flatMap((twins) => {
      const places = distinctPlaces(twins.map(({ table }) => table.files[0]!.file.path));
      return twins.map((each, index) => ({ ...each, place: places[index] ?? null }));
    })
    .sort(
      (a, b) =>
        Number(isTitleOfDataset(b)) - Number(isTitleOfDataset(a)) ||
        totalBytes(b.table) - totalBytes(a.table) ||
        (orderKey(a) < orderKey(b) ? -1 : 1),
    );
}

function shapeKey(title: string, { columns }: FileTable): string {
  return JSON.stringify([title, columns.toSorted()]);
}

function orderKey({ title, table, place }: NamedTable): string {
  return `${shapeKey(title, table)}${JSON.stringify(place)}`;
}

function isTitleOfDataset({ title, identity }: NamedTable): boolean {
  return title === identity.axis.title;
}

function totalBytes({ files }: FileTable): number {
  return files.reduce((sum, { file }) => sum + file.sizeBytes, 0);
}

function mayBeMain({ identity, title, place }: NamedTable): boolean {
  return place === null || !identity.isProvisional || isPortalTitle(title);
}

/** Names the tables beside a main table: by the title alone, or by as many further facts as distinguish them. */
function namesBeside(tables: readonly NamedTable[], main: NamedTable | null): TableName[] {
  const titles = new Set(main === null ? [] : [main.title]);
  return tables.map(({ title, table, place, identity }) => {
    // Without a number, the code is made of the title, so all tables with the code have it.
    const isTitleTaken = identity.isProvisional || titles.has(title);
    titles.add(title);
    return { title, columns: isTitleTaken ? table.columns : null, place };
  });
}

/** The folders of files below their common folder if they all differ, or else their paths. */
function distinctPlaces(paths: readonly string[]): (FilePlace | null)[] {
  if (paths.length === 1) return [null];
  const whole = paths.map((path) => resolve(path));
  const root = commonFolder(whole);
  const below = whole.map((path) => relative(root, path).normalize('NFC'));
  const folders = below.map((path) => dirname(path).replace(/^\.$/, ''));
  if (areDistinct(folders)) return folders.map((path) => ({ path, isFolder: true }));
  const stems = below.map((path) => path.replace(/\.[^./]+$/, ''));
  const names = areDistinct(stems) ? stems : below;
  return names.map((path) => ({ path, isFolder: false }));
}

function areDistinct(texts: readonly string[]): boolean {
  return new Set(texts).size === texts.length;
}

function commonFolder(paths: readonly string[]): string {
  let folder = dirname(paths[0]!);
  while (!paths.every((path) => path.startsWith(folder === '/' ? '/' : `${folder}/`)))
    folder = dirname(folder);
  return folder;
}
