import { readFileSync } from 'node:fs';
import { zstdDecompressSync } from 'node:zlib';

/** The bytes of a file as text, and what its zstd frames hold. */
export function textsIn(path: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch {
    return '';
  }
  let text = bytes.toString('latin1');
  for (let at = bytes.indexOf(zstdMagic); at >= 0; at = bytes.indexOf(zstdMagic, at + 1)) {
    try {
      text += zstdDecompressSync(bytes.subarray(at)).toString('latin1');
    } catch {
      // The four bytes stood there by chance.
    }
  }
  return text;
}

const zstdMagic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
