import { fileDatasets, type FileDataset } from '../../sample/files/datasets.ts';

/** The sample portal’s FILE datasets, and those of them that can be downloaded. */
export const sampleFiles: readonly FileDataset[] = fileDatasets(20_261_121);
export const givenNumbers = sampleFiles
  .filter(({ access }) => access === 'portal')
  .map(({ number }) => number);
