import { isAscii } from 'node:buffer';
import iconv from 'iconv-lite';
import { nameColumns } from './column-names.ts';
import { namedLayout } from './named-layout.ts';
import { detectEncoding } from './encoding.ts';
import { findingTexts } from './finding-texts.ts';
import { countFilled } from './head-row.ts';
import type { Part } from './part.ts';
import { refusalTexts } from './refusal-texts.ts';
import { FileRefused } from './refused.ts';
import { shapesBeside, type Shapes } from './shapes.ts';
import { readAll, readHead, type ByteSource } from './source.ts';
import { TableBody } from './table-body.ts';
import type { Batch, Cell, Encoding, Table } from './table.ts';

/**
 * Reads a dBase table (III and later): text, numbers as their digits, dates as `YYYYMMDD`, and logical values. Columns of
 * other types and deleted records are reported. Throws `FileRefused` for a header that does not fit its records and for
 * a file that ends before its last record.
 */
export async function dbfTable(part: Part): Promise<Table> {
  const { source } = part;
  const header = readHeader(source.name, await readHead(source, headerBytesMax));
  const encoding = await encodingOfDbf(part, header);
  const importedFields = header.fields.filter(({ type }) => importedTypes.has(type));
  const shapes = await shapesBeside(part);
  const names = [
    ...importedFields.map(({ name }) => fieldName(name, encoding)),
    ...(shapes?.columns ?? []),
  ];
  const { columns, renamed } = nameColumns(names);
  for (const { name, type } of header.fields) {
    if (importedTypes.has(type)) continue;
    const detail = findingTexts.columnType(fieldName(name, encoding) ?? '', type);
    part.finding({ kind: 'part_not_held', row: null, detail });
  }
  return {
    part: part.path,
    format: 'dbf',
    encoding,
    columns,
    layout: namedLayout({ columns, renamed }),
    batches: readRecords(part, header, importedFields, encoding, shapes),
  };
}

/** True for the first bytes of a dBase table: a version, a date, and a first field of a known type. */
export function isDbf(head: Buffer): boolean {
  if (head.length < preambleBytes + descriptorBytes || !versions.has(head[0]!)) return false;
  const isDated = head[2]! <= 12 && head[3]! <= 31;
  const fits = head.readUInt16LE(8) > preambleBytes + descriptorBytes && head.readUInt16LE(10) > 1;
  const type = String.fromCharCode(head[preambleBytes + 11]!);
  return isDated && fits && head[preambleBytes]! > 0x20 && /[A-Z0@+]/u.test(type);
}

interface DbfHeader {
  readonly fields: readonly DbfField[];
  readonly records: number;
  readonly headerBytes: number;
  readonly recordBytes: number;
  /** The code page that the writer noted, by number; 0 if none. */
  readonly languageDriver: number;
}

interface DbfField {
  readonly name: Buffer;
  readonly type: string;
  /** Place in a record. */
  readonly start: number;
  readonly end: number;
}

function readHeader(name: string, head: Buffer): DbfHeader {
  const headerBytes = head.readUInt16LE(8);
  const recordBytes = head.readUInt16LE(10);
  if (head.length < headerBytes) {
    throw new FileRefused('truncated', refusalTexts.dbfHeaderTruncated(name));
  }
  const fields: DbfField[] = [];
  let start = 1;
  for (let at = preambleBytes; at + descriptorBytes <= headerBytes; at += descriptorBytes) {
    if (head[at] === headerEnd) break;
    const raw = head.subarray(at, at + nameBytes);
    const nameEnd = raw.indexOf(0);
    const end = start + head[at + 16]!;
    const type = String.fromCharCode(head[at + nameBytes]!);
    fields.push({ name: raw.subarray(0, nameEnd < 0 ? nameBytes : nameEnd), type, start, end });
    start = end;
  }
  if (start > recordBytes) {
    throw new FileRefused('damaged', refusalTexts.dbfFields(name, start, recordBytes));
  }
  const records = head.readUInt32LE(4);
  return { fields, records, headerBytes, recordBytes, languageDriver: head[29]! };
}

/**
 * Encoding by the `.cpg` beside the table or the table's language driver, if one of them names CP949; else by the bytes.
 * Either may be absent, and a `.cpg` often names UTF-8 beside a table in CP949.
 */
async function encodingOfDbf(part: Part, header: DbfHeader): Promise<Encoding> {
  const codePage = part.beside('.cpg');
  const name = codePage === null ? '' : (await readAll(codePage, codePageBytesMax)).toString();
  if (/949|euc-?kr|ks_?c/iu.test(name)) return 'cp949';
  const isUtf8 = /utf-?8|65001/iu.test(name);
  if (!isUtf8 && koreanDrivers.has(header.languageDriver)) return 'cp949';
  return detectEncoding(recordSource(part.source, header.headerBytes), isUtf8);
}

/** The bytes after the header. */
function recordSource(source: ByteSource, headerBytes: number): ByteSource {
  return {
    name: source.name,
    async *open() {
      let skip = headerBytes;
      for await (const chunk of source.open()) {
        if (chunk.length > skip) yield chunk.subarray(skip);
        skip = Math.max(0, skip - chunk.length);
      }
    },
  };
}

async function* readRecords(
  { source, finding }: Part,
  { records, headerBytes, recordBytes }: DbfHeader,
  fields: readonly DbfField[],
  encoding: Encoding,
  shapes: Shapes | null,
): AsyncIterable<Batch> {
  const body = new TableBody(fields.length + (shapes?.columns.length ?? 0), finding);
  await using shapeCells = shapes?.cells() ?? null;
  let shapeUnits = 0;
  let missingFrom: number | null = null;
  let ordinal = 0;
  let carry: Buffer = Buffer.alloc(0);
  for await (const chunk of recordSource(source, headerBytes).open()) {
    const bytes = carry.length === 0 ? chunk : Buffer.concat([carry, chunk]);
    let at = 0;
    for (; ordinal < records && at + recordBytes <= bytes.length; at += recordBytes) {
      ordinal += 1;
      const shape = await shapeCells?.next();
      if (shape?.done === true) missingFrom ??= ordinal;
      const flag = bytes[at];
      if (flag === deleted) {
        finding({ kind: 'row_deleted', row: ordinal, detail: findingTexts.deleted() });
        continue;
      }
      if (flag !== alive) {
        finding({ kind: 'row_unreadable', row: ordinal, detail: findingTexts.recordFlag(flag!) });
        continue;
      }
      const record = bytes.subarray(at, at + recordBytes);
      const attributes = fields.map((field) => cellOf(record, field, encoding));
      const cells =
        shapes === null
          ? attributes
          : [...attributes, ...(shape?.value ?? shapes.columns.map(() => null))];
      const damaged = cells.findIndex(
        (cell) => typeof cell === 'string' && cell.includes('\ufffd'),
      );
      if (damaged >= 0) {
        const detail = findingTexts.characterUnreadable(damaged + 1, String(cells[damaged]));
        finding({ kind: 'character_unreadable', row: ordinal, detail });
      }
      body.add(cells, countFilled(cells), ordinal, { mayBeNote: false });
      shapeUnits += String(shape?.value?.[0] ?? '').length;
      if (shapeUnits < batchUnitsMax) continue;
      yield body.takeBatch();
      shapeUnits = 0;
    }
    if (body.isFull) yield body.takeBatch();
    if (ordinal === records) break;
    carry = Buffer.from(bytes.subarray(at));
  }
  if (missingFrom !== null) {
    const detail = findingTexts.geometryMissing(missingFrom - 1);
    finding({ kind: 'geometry_not_held', row: missingFrom, detail });
  }
  if (ordinal < records) {
    throw new FileRefused('truncated', refusalTexts.dbfTruncated(source.name, ordinal, records));
  }
  yield body.endBatch();
}

function cellOf(record: Buffer, { type, start, end }: DbfField, encoding: Encoding): Cell {
  const bytes = record.subarray(start, end);
  const text = decode(bytes, encoding).replace(/\0+$/u, '').replaceAll('\0', '\ufffd').trim();
  switch (type) {
    case 'L':
      return /^[YyTt]$/u.test(text) ? true : /^[NnFf]$/u.test(text) ? false : null;
    case 'D':
      return text === '' || text === '00000000' ? null : text;
    case 'C':
      return text === '' ? null : text;
    default:
      // Asterisks stand for a number that did not fit its width, or for null.
      return text === '' || /^\*+$/u.test(text) ? null : text;
  }
}

function fieldName(name: Buffer, encoding: Encoding): string | null {
  // A name ends after ten bytes, also in the middle of a character.
  return (
    decode(name, encoding)
      .replace(/\ufffd+$/u, '')
      .trim() || null
  );
}

function decode(bytes: Buffer, encoding: Encoding): string {
  if (isAscii(bytes)) return bytes.toString('latin1');
  return iconv.decode(bytes, encoding, { stripBOM: false }).normalize('NFC');
}

const preambleBytes = 32;
const descriptorBytes = 32;
const nameBytes = 11;
const headerBytesMax = 65_535;
const codePageBytesMax = 1024;
/** A batch ends after this many UTF-16 units of shapes. */
const batchUnitsMax = 1024 * 1024;
const headerEnd = 0x0d;
const alive = 0x20;
const deleted = 0x2a;
/** dBase III to VII and FoxPro, with and without a file of memos. */
const versions: ReadonlySet<number> = new Set([
  0x02, 0x03, 0x04, 0x30, 0x31, 0x32, 0x43, 0x63, 0x83, 0x8b, 0xcb, 0xf5, 0xfb,
]);
/** Code page 949, of Windows and of DOS. */
const koreanDrivers: ReadonlySet<number> = new Set([0x4e, 0x79]);
/** Text, numbers, dates and logical values. Values of other types are binary or in a file of their own. */
const importedTypes: ReadonlySet<string> = new Set(['C', 'N', 'F', 'D', 'L']);
