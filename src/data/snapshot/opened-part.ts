import { join } from 'node:path';
import { ColumnsFile } from '../columns/columns-file.ts';
import { FileRange } from '../file-range.ts';
import { SearchIndex } from '../search/index-file.ts';
import type { AxisFiles } from './axis-files.ts';
import { openIndex } from './axis-index.ts';
import { fileNames } from './layout.ts';
import { RecordsFile } from './records.ts';

/** The files of one axis or of the catalog, each opened on first use: records, search index and, for an axis, columns. */
export class OpenedPart implements Disposable {
  readonly #source: PartSource;
  #records: RecordsFile | null = null;
  #index: SearchIndex | null = null;
  #columns: ColumnsFile | null = null;

  /** The files of the catalog in its folder. */
  static in(folder: string): OpenedPart {
    return new OpenedPart({
      records: () => RecordsFile.in(folder),
      index: () => SearchIndex.open(FileRange.of(join(folder, fileNames.search))),
      columns: () => null,
    });
  }

  /** The files of an axis. */
  static of(code: string, files: AxisFiles): OpenedPart {
    return new OpenedPart({
      records: () => files.records(code)!,
      index: () => openIndex(files, code),
      columns: () => columnsOf(files, code),
    });
  }

  private constructor(source: PartSource) {
    this.#source = source;
  }

  get records(): RecordsFile {
    return (this.#records ??= this.#source.records());
  }

  get index(): SearchIndex {
    return (this.#index ??= this.#source.index());
  }

  /** Columns of an axis; null if an earlier version wrote none. */
  get columns(): ColumnsFile | null {
    return (this.#columns ??= this.#source.columns());
  }

  [Symbol.dispose](): void {
    this.#records?.[Symbol.dispose]();
    this.#index?.[Symbol.dispose]();
    this.#columns?.[Symbol.dispose]();
  }
}

function columnsOf(files: AxisFiles, code: string): ColumnsFile | null {
  const file = files.file(code, fileNames.columns);
  return file === null ? null : new ColumnsFile(file);
}

interface PartSource {
  readonly records: () => RecordsFile;
  readonly index: () => SearchIndex;
  readonly columns: () => ColumnsFile | null;
}
