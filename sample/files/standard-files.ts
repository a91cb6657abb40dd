import { slice } from '../listing.ts';
import { operations } from '../operation.ts';
import { standardSources } from '../records/standard.ts';
import { hashOf } from '../seeded-random.ts';
import type { World } from '../world.ts';
import type { FileDataset } from './datasets.ts';
import { textFile, utf8BomStyle } from './text-file.ts';

/** The standard data as files: one for each operation, with the Korean headers and all of its records. */
export function standardFiles(world: World): FileDataset[] {
  const sources = standardSources(world);
  return operations
    .filter(({ code }) => code in sources)
    .map(({ code, number, title, provider, fields }) => {
      const records = sources[code]!(new Map());
      const attachment = String(hashOf(world.seed, 'standard', number)).padStart(12, '0');
      const header = fields.map(({ label }) => label);
      const bytes = (): Buffer => {
        const rows = slice(records, 0, records.length);
        const cells = rows.map((row) => fields.map(({ name }) => row[name] ?? ''));
        return textFile([header, ...cells], utf8BomStyle);
      };
      return {
        number,
        title,
        provider,
        keywords: ['표준데이터'],
        category: '공공행정 - 일반공공행정',
        updateCycle: '수시',
        extension: 'csv',
        access: 'portal',
        versions: [
          {
            date: fileDate,
            detailKey: `uddi:99000000-0000-4000-8001-0000${number}`,
            attachmentId: `FILE_991${attachment}`,
            fileName: `${title}_${fileDate}.csv`,
            rows: records.length,
            bytes,
            table: null,
          },
        ],
      };
    });
}

const fileDate = '20261031';
