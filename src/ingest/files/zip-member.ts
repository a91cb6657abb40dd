import { isUtf8 } from 'node:buffer';
import { crc32 } from 'node:zlib';
import iconv from 'iconv-lite';
import type { Entry, ZipFile } from 'yauzl';
import type { Part } from './part.ts';
import { fileErrorSentence } from '../../kernel/file-error.ts';
import { refusalTexts } from './refusal-texts.ts';
import { FileRefused } from './refused.ts';
import { refusalOfFileError } from './steady-file.ts';
import { checkExpansion, type ByteSource } from './source.ts';

/** A member of an archive, with its decoded name. */
export interface Member {
  readonly name: string;
  readonly entry: Entry;
}

/** Members of an archive, in order. Throws `FileRefused` if there are none, too many, too large ones or an unsafe name. */
export async function membersOf(zip: ZipFile, part: Part): Promise<Member[]> {
  const { source, limits } = part;
  const members: Member[] = [];
  if (zip.entryCount > limits.archiveMembersMax) {
    throw new FileRefused(
      'too_large',
      refusalTexts.tooManyMembers(source.name, zip.entryCount, limits.archiveMembersMax),
    );
  }
  try {
    for await (const entry of zip.eachEntry()) {
      const name = nameOf(entry);
      if (isOutside(name)) {
        throw new FileRefused('path_outside', refusalTexts.memberOutside(source.name, name));
      }
      if (!name.endsWith('/')) members.push({ name, entry });
    }
  } catch (error) {
    throw zipRefusal(source.name, error);
  }
  // Declared sizes suffice here: `yauzl` compares each with the bytes that it inflates.
  const declaredBytes = members.reduce((sum, { entry }) => sum + entry.uncompressedSize, 0);
  if (declaredBytes > limits.expandedBytesMax) {
    throw new FileRefused(
      'zip_bomb',
      refusalTexts.declaredTooLarge(source.name, declaredBytes, limits.expandedBytesMax),
    );
  }
  if (members.length === 0) throw new FileRefused('empty', refusalTexts.noMembers(source.name));
  return members;
}

/** Bytes of a member, inflated on each read. */
export function memberSource(part: Part, zip: ZipFile, member: Member): ByteSource {
  return {
    name: `${part.source.name}:${member.name}`,
    open: () => inflateMember(part, zip, member),
  };
}

/** Inflates a member, counts its bytes and verifies its checksum. */
export async function* inflateMember(
  part: Part,
  zip: ZipFile,
  { name, entry }: Member,
): AsyncIterable<Buffer> {
  const { limits } = part;
  const fullName = `${part.source.name}:${name}`;
  if (entry.isEncrypted()) {
    throw new FileRefused('encrypted', refusalTexts.memberEncrypted(fullName));
  }
  let inflated = 0;
  let checksum = 0;
  try {
    for await (const chunk of await zip.openReadStreamPromise(entry)) {
      // A stream without an encoding gives buffers only.
      const bytes = chunk as Buffer;
      inflated += bytes.length;
      checksum = crc32(bytes, checksum);
      checkExpansion(fullName, inflated, entry.compressedSize, limits);
      yield bytes;
    }
  } catch (error) {
    throw zipRefusal(fullName, error);
  }
  if (checksum !== entry.crc32) {
    throw new FileRefused('damaged', refusalTexts.checksum(fullName));
  }
}

/** Name of an entry: UTF-8 if it is flagged or valid as such, otherwise CP949, which Korean Windows writes. */
function nameOf(entry: Entry): string {
  // With `decodeStrings` off the name is raw bytes.
  const raw = entry.fileNameRaw;
  const isNameUtf8 = (entry.generalPurposeBitFlag & 0x800) !== 0 || isUtf8(raw);
  const name = isNameUtf8 ? raw.toString('utf8') : iconv.decode(raw, 'cp949');
  return name.normalize('NFC').replaceAll('\\', '/');
}

function isOutside(name: string): boolean {
  return name.startsWith('/') || /^[a-z]:/iu.test(name) || name.split('/').includes('..');
}

/** The refusal for an error of the ZIP reader; other errors are returned unchanged. */
export function zipRefusal(name: string, error: unknown): unknown {
  if (error instanceof FileRefused || !(error instanceof Error)) return error;
  if (fileErrorSentence(error, name) !== null) return refusalOfFileError(name, error);
  const options = { cause: error };
  if (/end of central directory|unexpected end/iu.test(error.message)) {
    return new FileRefused('truncated', refusalTexts.zipTruncated(name), options);
  }
  if (/invalid relative path|absolute path|invalid characters in filename/iu.test(error.message)) {
    return new FileRefused('path_outside', refusalTexts.someMemberOutside(name), options);
  }
  return new FileRefused('damaged', refusalTexts.notZip(name, error.message), options);
}
