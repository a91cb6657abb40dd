import type { ByteSink } from '../byte-sink.ts';
import { bytesOf } from './bytes.ts';
import { codeBytes, type ChunkCodes } from './format.ts';

/** Writes the codes of one chunk of a column, in as few bytes each as their range allows. */
export function writeCodes(sink: ByteSink, codes: Uint32Array): ChunkCodes {
  let min = codes[0]!;
  let max = min;
  for (let row = 1; row < codes.length; row++) {
    const code = codes[row]!;
    if (code < min) min = code;
    if (code > max) max = code;
  }
  const place = { at: sink.position, min, max };
  const bytes = codeBytes(place);
  if (bytes === 0) return place;
  const narrow =
    bytes === 1
      ? new Uint8Array(codes.length)
      : bytes === 2
        ? new Uint16Array(codes.length)
        : new Uint32Array(codes.length);
  for (let row = 0; row < codes.length; row++) narrow[row] = codes[row]! - min;
  sink.write(bytesOf(narrow));
  return place;
}
