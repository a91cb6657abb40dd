import { collectDatasets } from './datasets.ts';

/** Program that collects datasets once and may be killed. Arguments: data folder, gateway, numbers. */
const [data, gateway, ...numbers] = process.argv.slice(2);
if (data === undefined || gateway === undefined)
  throw new Error('Give the data folder and the gateway.');
await collectDatasets(data, numbers, { gateway, datasetOptions: { hasKey: true, history: true } });
