import { isUtf8 } from 'node:buffer';
import { crc32 } from 'node:zlib';
import iconv from 'iconv-lite';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { depthMax, tooDeep, type Part, type PartOpener } from './part.ts';
import { FileRefused, type RefusalCode } from './refused.ts';
import { checkExpansion, readAll, type ByteSource } from './source.ts';
import type { FileFormat, Table } from './table.ts';
import { workbookTables } from './workbook.ts';

/** The tables of a ZIP file: of the workbook it is, or of its members one after the other. */
export async function* zipTables(part: Part, openPart: PartOpener): AsyncIterable<Table> {
  const { source } = part;
  const zip = await openZip(part);
  try {
    const entries = await entriesOf(zip, part);
    const names = new Set(entries.map(({ name }) => name));
    const format = officeFormat(names);
    if (format === null) {
      if (part.depth >= depthMax) throw tooDeep(source.name);
      yield* memberTables(part, zip, entries, openPart);
      return;
    }
    await checkWorkbook(part, zip, entries);
    if (format === 'unsupported') {
      throw new FileRefused('unsupported', `${source.name} is a document, not a workbook.`);
    }
    yield* workbookTables(part, format);
  } finally {
    zip.close();
  }
}

interface Member {
  readonly name: string;
  readonly entry: Entry;
}

async function openZip(part: Part): Promise<ZipFile> {
  const options = { lazyEntries: true, autoClose: false, decodeStrings: false } as const;
  try {
    if (part.path === null && part.depth === 0)
      return await yauzl.openPromise(part.source.name, options);
    // A member cannot be read from the middle without inflating it.
    const bytes = await readAll(part.source, part.limits.workbookBytesMax);
    return await yauzl.fromBufferPromise(bytes, options);
  } catch (error) {
    throw zipRefusal(part.source.name, error);
  }
}

async function entriesOf(zip: ZipFile, part: Part): Promise<Member[]> {
  const { source, limits } = part;
  const members: Member[] = [];
  if (zip.entryCount > limits.archiveMembersMax) {
    throw new FileRefused(
      'too_large',
      `${source.name} has ${zip.entryCount} members, more than the ${limits.archiveMembersMax} that are read; split it.`,
    );
  }
  try {
    for await (const entry of zip.eachEntry()) {
      const name = nameOf(entry);
      if (isOutside(name)) {
        throw new FileRefused(
          'path_outside',
          `${source.name} has a member that points outside of it (${name}); do not trust this archive.`,
        );
      }
      if (!name.endsWith('/')) members.push({ name, entry });
    }
  } catch (error) {
    throw zipRefusal(source.name, error);
  }
  // A member's size is held to what the directory says while it is inflated.
  const inflated = members.reduce((sum, { entry }) => sum + entry.uncompressedSize, 0);
  if (inflated > limits.expandedBytesMax) {
    throw new FileRefused(
      'zip_bomb',
      `${source.name} says it holds ${inflated} bytes, more than the ${limits.expandedBytesMax} that are read; unpack it and look before loading.`,
    );
  }
  if (members.length === 0) throw new FileRefused('empty', `${source.name} has no members.`);
  return members;
}

async function* memberTables(
  part: Part,
  zip: ZipFile,
  members: readonly Member[],
  openPart: PartOpener,
): AsyncIterable<Table> {
  const reasons: string[] = [];
  let held = 0;
  for (const member of members) {
    const path = part.path === null ? member.name : `${part.path}/${member.name}`;
    const source = memberSource(part, zip, member);
    try {
      if (/(?:^|\/)(?:__MACOSX\/|\.DS_Store$|Thumbs\.db$)/u.test(member.name)) {
        throw new FileRefused('unsupported', `${member.name} is what a desktop left behind.`);
      }
      for await (const table of openPart({ ...part, source, path, depth: part.depth + 1 })) {
        held += 1;
        yield table;
      }
    } catch (error) {
      if (!(error instanceof FileRefused) || !passable.has(error.code)) throw error;
      reasons.push(error.message);
      part.finding({ kind: 'part_not_held', row: null, detail: error.message });
    }
  }
  if (held > 0) return;
  throw new FileRefused(
    'not_a_table',
    `${part.source.name} holds no table: ${reasons.slice(0, 5).join(' ')}`,
  );
}

/** A member that is no table is passed over; one that is broken or hostile stops the load. */
const passable: ReadonlySet<RefusalCode> = new Set([
  'empty',
  'html_page',
  'portal_error',
  'no_records',
  'binary',
  'unsupported',
  'not_a_table',
]);

function memberSource(part: Part, zip: ZipFile, member: Member): ByteSource {
  return {
    name: `${part.source.name}:${member.name}`,
    open: () => inflateMember(part, zip, member),
  };
}

async function* inflateMember(
  part: Part,
  zip: ZipFile,
  { name, entry }: Member,
): AsyncIterable<Buffer> {
  const { limits } = part;
  const full = `${part.source.name}:${name}`;
  if (entry.isEncrypted()) {
    throw new FileRefused(
      'encrypted',
      `${full} is protected by a password; unpack it and load what is inside.`,
    );
  }
  let inflated = 0;
  let checksum = 0;
  try {
    for await (const chunk of await zip.openReadStreamPromise(entry)) {
      // A stream without an encoding gives buffers only.
      const bytes = chunk as Buffer;
      inflated += bytes.length;
      checksum = crc32(bytes, checksum);
      checkExpansion(full, inflated, entry.compressedSize, limits);
      yield bytes;
    }
  } catch (error) {
    throw zipRefusal(full, error);
  }
  if (checksum !== entry.crc32) {
    throw new FileRefused('damaged', `${full} does not match its checksum; download it again.`);
  }
}

/** Inflates a workbook's members once, counting, before a library takes their sizes on trust. */
async function checkWorkbook(part: Part, zip: ZipFile, members: readonly Member[]): Promise<void> {
  const { workbookBytesMax } = part.limits;
  let inflated = 0;
  for (const member of members) {
    for await (const bytes of inflateMember(part, zip, member)) {
      inflated += bytes.length;
      if (inflated <= workbookBytesMax) continue;
      throw new FileRefused(
        'too_large',
        `${part.source.name} inflates to more than ${workbookBytesMax} bytes, the most of a workbook that is read; save its sheets as CSV.`,
      );
    }
  }
}

function officeFormat(names: ReadonlySet<string>): FileFormat | 'unsupported' | null {
  if (names.has('xl/workbook.xml') || names.has('xl/workbook.bin')) return 'xlsx';
  if (names.has('mimetype') && names.has('content.xml')) return 'xlsx';
  const document = names.has('[Content_Types].xml') || names.has('Contents/content.hpf');
  return document ? 'unsupported' : null;
}

/** Windows writes names in CP949 and does not say so; the flag is for UTF-8 only. */
function nameOf(entry: Entry): string {
  // With `decodeStrings` off the name is raw bytes.
  const raw = entry.fileNameRaw;
  const utf8 = (entry.generalPurposeBitFlag & 0x800) !== 0 || isUtf8(raw);
  const name = utf8 ? raw.toString('utf8') : iconv.decode(raw, 'cp949');
  return name.normalize('NFC').replaceAll('\\', '/');
}

function isOutside(name: string): boolean {
  return name.startsWith('/') || /^[a-z]:/iu.test(name) || name.split('/').includes('..');
}

function zipRefusal(name: string, error: unknown): unknown {
  if (error instanceof FileRefused || !(error instanceof Error)) return error;
  if ('code' in error && error.code === 'ENOENT') return error;
  if (/end of central directory|unexpected end/iu.test(error.message)) {
    return new FileRefused(
      'truncated',
      `${name} ends before its ZIP directory; download it again.`,
      { cause: error },
    );
  }
  if (/invalid relative path|absolute path|invalid characters in filename/iu.test(error.message)) {
    return new FileRefused('path_outside', `${name} has a member that points outside of it.`, {
      cause: error,
    });
  }
  return new FileRefused('damaged', `${name} is not a readable ZIP file: ${error.message}.`, {
    cause: error,
  });
}
