import { fileDatasets, type FileDataset } from '../../sample/files/datasets.ts';

/** The sample portal’s FILE datasets. */
export const sampleFiles: readonly FileDataset[] = fileDatasets(20_261_121);
/** Numbers of the datasets that the portal lets download. */
export const sampleFileNumbers = sampleFiles
  .filter(({ access }) => access === 'portal')
  .map(({ number }) => number);
