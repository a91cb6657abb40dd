import type { Axis, Field, Value } from '../src/data/axis.ts';
import { AxisWriter } from '../src/data/snapshot/axis-writer.ts';
import { SnapshotBuilder } from '../src/data/snapshot/builder.ts';
import type { RegionJoin } from '../src/data/snapshot/index-records.ts';

/**
 * Publishes a snapshot in which one axis has these records, of a name and a note unless given; returns its id. With
 * `looseMax`, as many small axes become a pack.
 */
export function buildAxis(
  data: string,
  code: string,
  rows: readonly (readonly Value[])[],
  join: RegionJoin | null = null,
  fields: readonly Field[] = testFields,
  facts: Partial<Axis> = {},
  looseMax?: number,
): string {
  using builder = new SnapshotBuilder(data, looseMax === undefined ? {} : { looseMax });
  using writer = new AxisWriter(
    builder.stageAxis(code),
    fields.map((field) => field.name),
  );
  for (const row of rows) writer.add(row);
  const { files } = writer.finish({ ...testAxis(code), ...facts }, fields, { joinRegion: join });
  builder.putAxis(code, files);
  return builder.publish(`Built ${code}.`);
}

export function testAxis(code: string): Axis {
  return {
    code,
    title: `시험 ${code}`,
    titleEn: null,
    type: 'FILE',
    portalId: code.replace('file_', ''),
    provider: { name: '시험기관', code: null },
    keyFields: [],
    origin: 'file',
    sourceModified: '2026-01-01',
    collectedAt: '2026-01-02T00:00:00.000Z',
    updateCycle: null,
    license: null,
    sourceUrl: null,
  };
}

export const testFields: readonly Field[] = [fieldNamed('이름', 'name'), fieldNamed('비고', null)];

function fieldNamed(name: string, role: Field['role']): Field {
  return {
    name,
    label: name,
    labelEn: null,
    labelSource: 'header',
    type: 'string',
    unit: null,
    role,
    searchable: true,
    stats: {
      nonNull: 0,
      distinct: 0,
      minLength: null,
      maxLength: null,
      min: null,
      max: null,
      examples: [],
    },
  };
}
