/** A shapefile of shapes, each a point or the parts of a line or polygon; null for a record without one. */
export function shpOf(type: number, shapes: readonly (readonly Positions[] | null)[]): Buffer {
  const all = shapes.flatMap((shape) => (shape ?? []).flat());
  const records = shapes.map((parts, index) => {
    const content = parts === null ? Buffer.alloc(4) : contentOf(type, parts);
    const head = Buffer.alloc(8);
    head.writeInt32BE(index + 1, 0);
    head.writeInt32BE(content.length / 2, 4);
    return Buffer.concat([head, content]);
  });
  const head = Buffer.alloc(100);
  const body = Buffer.concat(records);
  head.writeInt32BE(9994, 0);
  head.writeInt32BE((100 + body.length) / 2, 24);
  head.writeInt32LE(1000, 28);
  head.writeInt32LE(type, 32);
  writeBox(head, 36, all);
  return Buffer.concat([head, body]);
}

type Positions = readonly (readonly [x: number, y: number])[];

function contentOf(type: number, parts: readonly Positions[]): Buffer {
  const all = parts.flat();
  const points = Buffer.alloc(all.length * 16);
  for (const [index, [x, y]] of all.entries()) {
    points.writeDoubleLE(x, index * 16);
    points.writeDoubleLE(y, index * 16 + 8);
  }
  const kind = Buffer.alloc(4);
  kind.writeInt32LE(type);
  if (type === 1) return Buffer.concat([kind, points]);
  const box = Buffer.alloc(32);
  writeBox(box, 0, all);
  const counts = Buffer.alloc(8 + 4 * parts.length);
  counts.writeInt32LE(parts.length, 0);
  counts.writeInt32LE(all.length, 4);
  let start = 0;
  for (const [index, part] of parts.entries()) {
    counts.writeInt32LE(start, 8 + 4 * index);
    start += part.length;
  }
  return Buffer.concat([kind, box, counts, points]);
}

function writeBox(bytes: Buffer, at: number, positions: Positions): void {
  const xs = positions.map(([x]) => x);
  const ys = positions.map(([, y]) => y);
  const box = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
  for (const [index, value] of box.entries()) bytes.writeDoubleLE(value, at + 8 * index);
}
