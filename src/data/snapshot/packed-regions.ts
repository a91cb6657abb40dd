import { regionBases, type RegionCount } from '../axis.ts';

/**
 * The numbers of records of an axis by region as bytes, so that lists of axes by region read no whole descriptions: for
 * each region its code, records, a bit for each basis, and undecided records, as u32.
 */
export function encodeRegions(regions: readonly RegionCount[]): Buffer {
  const bytes = Buffer.alloc(regions.length * regionBytes);
  for (const [at, { code, rows, basis, undecided = 0 }] of regions.entries()) {
    const bits = basis.reduce((sum, one) => sum | (1 << regionBases.indexOf(one)), 0);
    for (const [i, number] of [Number(code), rows, bits, undecided].entries())
      bytes.writeUInt32LE(number, at * regionBytes + i * 4);
  }
  return bytes;
}

export function decodeRegions(bytes: Buffer): RegionCount[] {
  const regions: RegionCount[] = [];
  for (let at = 0; at < bytes.length; at += regionBytes) {
    const bits = bytes.readUInt32LE(at + 8);
    const undecided = bytes.readUInt32LE(at + 12);
    regions.push({
      code: String(bytes.readUInt32LE(at)),
      rows: bytes.readUInt32LE(at + 4),
      basis: basesByBits[bits]!,
      ...(undecided === 0 ? {} : { undecided }),
    });
  }
  return regions;
}

const regionBytes = 16;
/** Bases of each combination of their bits, which many regions share. */
const basesByBits = Array.from({ length: 1 << regionBases.length }, (_, bits) =>
  regionBases.filter((__, at) => (bits & (1 << at)) !== 0),
);
