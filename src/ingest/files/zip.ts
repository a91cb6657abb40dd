import { basename } from 'node:path/posix';
import { pathOnDisk } from './path-on-disk.ts';
import yauzl, { type ZipFile } from 'yauzl';
import { columnsKey } from './column-names.ts';
import { documentRefusal, documentsRefusal, zippedDocument } from './document.ts';
import { findingTexts } from './finding-texts.ts';
import { FormulaCounter } from './formula-counter.ts';
import { nestingRefusal, type Part, type PartOpener } from './part.ts';
import { firstParts, readPartHeader, type PartHeader } from './part-header.ts';
import { refusalTexts } from './refusal-texts.ts';
import { FileRefused, type RefusalCode } from './refused.ts';
import { withColumn } from './section-column.ts';
import { readAll, type ByteSource } from './source.ts';
import type { FileFormat, Table } from './table.ts';
import { commonColumns } from './zip-columns.ts';
import type { PartFinder } from './xlsx-book.ts';
import { inflateMember, memberSource, membersOf, zipRefusal, type Member } from './zip-member.ts';

/** Yields the tables of a ZIP file: a workbook, or the members of an archive one by one. */
export async function* zipTables(part: Part, openPart: PartOpener): AsyncIterable<Table> {
  const { source } = part;
  const zip = await openZip(part);
  try {
    const members = await membersOf(zip, part);
    const names = new Set(members.map(({ name }) => name));
    const format = workbookFormat(names);
    if (format === null) {
      const document = zippedDocument(names);
      if (document !== null) throw documentRefusal(source.name, document);
      if (part.depth >= part.limits.archiveDepthMax) throw nestingRefusal(part);
      yield* memberTables(part, zip, members, openPart);
      return;
    }
    await checkWorkbook(part, zip, members);
    if (members.some(({ name }) => cellNotes.test(name))) {
      part.finding({ kind: 'row_note', row: null, detail: findingTexts.notesNotRead() });
    }
    if (names.has('xl/workbook.xml')) {
      yield* (await import('./xlsx.ts')).xlsxTables(part, finderOf(part, zip, members));
      return;
    }
    yield* (await import('./workbook.ts')).workbookTables(part, format);
  } finally {
    zip.close();
  }
}

async function openZip(part: Part): Promise<ZipFile> {
  const options = { lazyEntries: true, autoClose: false, decodeStrings: false } as const;
  try {
    if (part.path === null && part.depth === 0) {
      // yauzl passes the path to `fs.open`, which also takes bytes.
      return await yauzl.openPromise(pathOnDisk(part.source.name) as string, options);
    }
    // A member cannot be read from the middle without inflating it.
    const bytes = await readAll(part.source, part.limits.workbookBytesMax);
    return await yauzl.fromBufferPromise(bytes, options);
  } catch (error) {
    throw zipRefusal(part.source.name, error);
  }
}

async function* memberTables(
  part: Part,
  zip: ZipFile,
  members: readonly Member[],
  openPart: PartOpener,
): AsyncIterable<Table> {
  const refusals: { readonly member: string; readonly error: FileRefused }[] = [];
  let tables = 0;
  const parts = memberParts(part, zip, members);
  const common = parts.length > 1 ? await commonColumns(parts, openPart) : new Set<string>();
  const headerBefore = headersBefore(parts, openPart);
  for (const member of parts) {
    const name = member.memberName;
    try {
      checkIsData(name);
      const firstHeader = await headerBefore(member);
      for await (const table of openPart({ ...member, firstHeader })) {
        tables += 1;
        const isNamed = table.isNamedByFile !== true && common.has(columnsKey(table.columns));
        yield isNamed
          ? { ...withColumn(table, '파일', table.part ?? member.path), isNamedByFile: true }
          : table;
      }
    } catch (error) {
      if (!(error instanceof FileRefused) || !skippableCodes.has(error.code)) throw error;
      refusals.push({ member: name, error });
      part.finding({ kind: 'part_not_held', row: null, detail: error.text });
    }
  }
  if (tables > 0) return;
  const real = refusals.filter(({ member }) => !isDesktopFile(member));
  if (real.length > 0 && real.every(({ error }) => error.code === 'document')) {
    const documents = real.map(({ member }) => member);
    throw documentsRefusal(part.source.name, documents);
  }
  const [first] = real;
  if (first !== undefined && real.every(({ error }) => error.code === 'encrypted'))
    throw first.error;
  const reasons = refusals.slice(0, 5).map(({ error }) => error.text);
  throw new FileRefused('not_a_table', refusalTexts.noTableInside(part.source.name, reasons));
}

/** Reads the header of the first part that a member may continue, once for each; null if there is none. */
function headersBefore(
  parts: readonly MemberPart[],
  openPart: PartOpener,
): (member: MemberPart) => Promise<PartHeader | null> {
  const firstOf = firstParts(parts, ({ memberName }) => memberName);
  const headers = new Map<MemberPart, PartHeader | null>();
  return async (member) => {
    const first = firstOf(member);
    if (first === null) return null;
    const cached = headers.get(first);
    if (cached !== undefined) return cached;
    const header = await headerOfMember(first, openPart);
    headers.set(first, header);
    return header;
  };
}

async function headerOfMember(
  member: MemberPart,
  openPart: PartOpener,
): Promise<PartHeader | null> {
  try {
    const tables = openPart({ ...member, finding: () => {} });
    return await readPartHeader(basename(member.memberName), tables);
  } catch (error) {
    // It is reported when the member is read.
    if (!(error instanceof FileRefused)) throw error;
    return null;
  }
}

interface MemberPart extends Part {
  readonly path: string;
  /** Name in the archive itself. */
  readonly memberName: string;
}

/** The members that are read, without the files beside the table of a shapefile. */
function memberParts(part: Part, zip: ZipFile, members: readonly Member[]): MemberPart[] {
  const byName = new Map(members.map((member) => [member.name.toLowerCase(), member]));
  return members.flatMap((member) => {
    const { name } = member;
    const beside = (ending: string): ByteSource | null => {
      const found = byName.get(name.toLowerCase().replace(/(?:\.shp)?\.[^./]*$/u, '') + ending);
      return found === undefined ? null : memberSource(part, zip, found);
    };
    if (besideShapes.test(name) && beside('.dbf') !== null) return [];
    const path = part.path === null ? name : `${part.path}/${name}`;
    const source = memberSource(part, zip, member);
    return [{ ...part, source, path, beside, depth: part.depth + 1, memberName: name }];
  });
}

/** Files beside the `.dbf` of a shapefile; its reader opens those it needs. */
const besideShapes =
  /\.(?:shp|shx|prj|qpj|cpg|cst|sbn|sbx|fbn|fbx|ain|aih|atx|ixs|mxs|qmd|qix|shp\.xml)$/iu;

/** Refuses a member whose name shows that it is not data by itself. */
function checkIsData(name: string): void {
  if (isDesktopFile(name)) {
    throw new FileRefused('unsupported', refusalTexts.desktopFile(name));
  }
  if (besideShapes.test(name)) {
    throw new FileRefused('unsupported', refusalTexts.besideShapefile(name));
  }
}

function isDesktopFile(name: string): boolean {
  return /(?:^|\/)(?:__MACOSX\/|\.DS_Store$|Thumbs\.db$)/u.test(name);
}

/** Refusals after which the other members are still read; a broken or hostile member refuses the archive. */
const skippableCodes: ReadonlySet<RefusalCode> = new Set([
  'empty',
  'html_page',
  'portal_error',
  'no_records',
  'binary',
  'document',
  'unsupported',
  'not_a_table',
  'encrypted',
]);

/** Inflates a workbook's members once to check their sizes, which the library would trust, and their formulas. */
async function checkWorkbook(part: Part, zip: ZipFile, members: readonly Member[]): Promise<void> {
  const { workbookBytesMax } = part.limits;
  let inflated = 0;
  let formulas = 0;
  for (const member of members) {
    const counter = sheetName.test(member.name) ? new FormulaCounter() : null;
    for await (const bytes of inflateMember(part, zip, member)) {
      inflated += bytes.length;
      counter?.write(bytes);
      if (inflated <= workbookBytesMax) continue;
      const size = members.reduce((sum, { entry }) => sum + entry.uncompressedSize, 0);
      throw new FileRefused(
        'too_large',
        refusalTexts.workbookTooLarge(part.source.name, size, workbookBytesMax),
      );
    }
    formulas += counter?.withoutValue ?? 0;
  }
  if (formulas === 0) return;
  const detail = findingTexts.formulasWithoutValue(formulas);
  part.finding({ kind: 'formula_without_value', row: null, detail });
}

/** Finds a member by its path, in small or capital letters. */
function finderOf(part: Part, zip: ZipFile, members: readonly Member[]): PartFinder {
  const byName = new Map(members.map((member) => [member.name.toLowerCase(), member]));
  return (path) => {
    const member = byName.get(path.toLowerCase());
    return member === undefined ? null : memberSource(part, zip, member);
  };
}

const cellNotes = /^xl\/(?:comments|threadedComments\/)[^/]*\.xml$/iu;
const sheetName = /^xl\/worksheets\/[^/]+\.xml$/u;

function workbookFormat(names: ReadonlySet<string>): FileFormat | null {
  if (names.has('xl/workbook.xml') || names.has('xl/workbook.bin')) return 'xlsx';
  if (names.has('mimetype') && names.has('content.xml')) return 'ods';
  return null;
}
