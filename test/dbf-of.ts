/** A dBase III table as a geographic program writes it. */
export function dbfOf(fields: readonly DbfColumn[], rows: readonly DbfRow[]): Buffer {
  const recordBytes = 1 + fields.reduce((sum, { width }) => sum + width, 0);
  const head = Buffer.alloc(32 + 32 * fields.length + 1);
  head[0] = 0x03;
  head.set([126, 11, 22], 1);
  head.writeUInt32LE(rows.length, 4);
  head.writeUInt16LE(head.length, 8);
  head.writeUInt16LE(recordBytes, 10);
  for (const [index, { name, type, width, decimals = 0 }] of fields.entries()) {
    const at = 32 + 32 * index;
    Buffer.from(name).copy(head, at, 0, 10);
    head.write(type, at + 11, 'latin1');
    head.set([width, decimals], at + 16);
  }
  head[head.length - 1] = 0x0d;
  const records = rows.map(({ cells, isDeleted = false }) => {
    const record = Buffer.alloc(recordBytes, ' ');
    if (isDeleted) record.write('*');
    let start = 1;
    for (const [index, { type, width }] of fields.entries()) {
      const bytes = Buffer.from(cells[index] ?? '').subarray(0, width);
      bytes.copy(record, type === 'N' || type === 'F' ? start + width - bytes.length : start);
      start += width;
    }
    return record;
  });
  return Buffer.concat([head, ...records, Buffer.from([0x1a])]);
}

interface DbfColumn {
  readonly name: string | Buffer;
  readonly type: string;
  readonly width: number;
  readonly decimals?: number;
}

interface DbfRow {
  readonly cells: readonly (string | Buffer)[];
  readonly isDeleted?: boolean;
}
