import { catalogEntries, catalogFiles, type CatalogCounts } from '../catalog/entries.ts';
import type { CatalogEntry } from '../catalog/entry.ts';
import { datasetListFile, fieldListFile, standardsFile } from '../catalog/list-files.ts';
import { fileDatasets, type FileDataset } from '../files/datasets.ts';
import { standardFiles } from '../files/standard-files.ts';
import { memoize } from '../listing.ts';
import type { World } from '../world.ts';

/** The datasets that can be found and downloaded on www.data.go.kr. */
export interface PublishedDatasets {
  readonly entries: readonly CatalogEntry[];
  /** The sample's own files and the catalog's list files, by number. */
  readonly files: ReadonlyMap<string, FileDataset>;
}

export function publishDatasets(world: World, counts: CatalogCounts): PublishedDatasets {
  const { seed } = world;
  const ownFiles = fileDatasets(seed);
  const entries = catalogEntries(seed, ownFiles, counts);
  const all = [
    ...ownFiles,
    ...standardFiles(world),
    ...catalogFiles.map(([number, title]) => listDataset(number, title, entries)),
  ];
  return { entries, files: new Map(all.map((file) => [file.number, file])) };
}

const listDate = '20261031';

function listDataset(number: string, title: string, entries: readonly CatalogEntry[]): FileDataset {
  const bytes = memoize(() => {
    if (number === '15062804') return datasetListFile(entries);
    return number === '15121937' ? fieldListFile(entries) : standardsFile();
  });
  const name = title.split('_')[1] ?? title;
  return {
    number,
    title,
    provider: '한국지능정보사회진흥원',
    keywords: ['목록'],
    category: '공공행정 - 일반공공행정',
    updateCycle: '월간',
    extension: 'csv',
    access: 'portal',
    versions: [
      {
        date: listDate,
        detailKey: `uddi:99000000-0000-4000-8000-0000${number}`,
        attachmentId: `FILE_9900000${number}`,
        fileName: `${name} ${listDate}.csv`,
        rows: entries.length,
        bytes,
        table: null,
      },
    ],
  };
}
