import { contentOf } from './content.ts';
import { withCountryTotals } from './country-totals.ts';
import { dbfTable } from './dbf.ts';
import { documentRefusal } from './document.ts';
import { withoutDittoMarks } from './ditto-marks.ts';
import { reportGroupNames } from './group-names.ts';
import { withGroups } from './groups.ts';
import { withoutEscapes } from './html-escapes.ts';
import { defaultFileLimits, type FileLimits } from './limits.ts';
import { nestingRefusal, type Part } from './part.ts';
import type { PartHeader } from './part-header.ts';
import { refusalTexts } from './refusal-texts.ts';
import { FileRefused } from './refused.ts';
import { fileSource, sourceBeside, gunzipSource, readHead } from './source.ts';
import { withMixedRegions } from './mixed-regions.ts';
import { withPositions } from './positions.ts';
import { steadyFile } from './steady-file.ts';
import { textTables } from './text-tables.ts';
import type { FileFinding, FindingSink, Table } from './table.ts';
import { zipTables } from './zip.ts';

export interface OpenOptions {
  /** Reads this sheet of a workbook only. */
  readonly sheet?: string;
  readonly limits?: Partial<FileLimits>;
  /** Header of another file that this one may continue without a header. */
  readonly firstHeader?: PartHeader | undefined;
}

/**
 * Yields the tables of a data file: text in any encoding and layout, JSON, XML, a workbook, or an archive of these.
 * Each table must be read to its end before the next is requested. Throws `FileRefused` for an unreadable file;
 * `finding` receives irregularities while rows are read.
 */
export async function* openTables(
  path: string,
  options: OpenOptions,
  finding: FindingSink,
): AsyncIterable<Table> {
  const file = steadyFile(path);
  const part: Part = {
    source: fileSource(path),
    path: null,
    depth: 0,
    beside: (ending) => sourceBeside(path, ending),
    sheet: options.sheet ?? null,
    firstHeader: options.firstHeader ?? null,
    limits: { ...defaultFileLimits, ...options.limits },
    finding: (found) => (early === null ? finding(found) : void early.push(found)),
  };
  /** Findings in the rows that are read before the caller has their table; null while the caller reads rows. */
  let early: FileFinding[] | null = null;
  const release = (): void => {
    const findings = early ?? [];
    early = null;
    for (const each of findings) finding(each);
  };
  try {
    for await (const each of partTables(part)) {
      early = [];
      const unescaped = withoutEscapes(each, part.finding);
      const grouped = await withGroups(
        await withoutDittoMarks(unescaped, part.finding),
        part.finding,
      );
      const counted = await withCountryTotals(grouped, part.finding);
      const placed = await withMixedRegions(counted, part.finding);
      const named = await reportGroupNames(placed, part.finding);
      const table = await withPositions(named, part.finding, part.limits);
      const batches = onStart(table.batches, release);
      yield { ...table, batches };
      release();
    }
  } catch (error) {
    // A file that looks damaged may still be being written.
    throw file.changeRefusal() ?? error;
  }
  const changed = file.changeRefusal();
  if (changed !== null) throw changed;
}

async function* onStart<Item>(items: AsyncIterable<Item>, start: () => void): AsyncIterable<Item> {
  start();
  yield* items;
}

/** The tables of one part, in the format of its bytes. Readers with a library of their own are loaded on use. */
async function* partTables(part: Part): AsyncIterable<Table> {
  const { source, limits } = part;
  const head = await readHead(source, headBytes);
  const content = contentOf(head);
  switch (content.kind) {
    case 'empty':
      throw new FileRefused('empty', refusalTexts.empty(source.name));
    case 'document':
      throw documentRefusal(source.name, content.name);
    case 'unsupported':
      throw new FileRefused('unsupported', refusalTexts.otherFormat(source.name, content.name));
    case 'gzip':
      if (part.depth >= limits.archiveDepthMax) throw nestingRefusal(part);
      yield* partTables({ ...part, source: gunzipSource(source, limits), depth: part.depth + 1 });
      return;
    case 'zip':
      yield* zipTables(part, partTables);
      return;
    case 'xls':
      yield* (await import('./workbook.ts')).workbookTables(part, 'xls');
      return;
    case 'dbf':
      yield await dbfTable(part);
      return;
    case 'parquet':
      yield await (await import('./parquet.ts')).parquetTable(part);
      return;
    case 'text':
      yield* textTables(part, head);
  }
}

const headBytes = 64 * 1024;
