import { collectDatasets } from './datasets.ts';

/** Program that collects datasets once and may be killed. Arguments: data folder, gateway, numbers. */
const [data, gateway, ...numbers] = process.argv.slice(2);
if (data === undefined || gateway === undefined)
  throw new Error('Give the data folder and the gateway.');
const ways = { hasKey: true, history: true };
const report = await collectDatasets(data, numbers, { gateway, ways });
const failed = report.axes.filter(({ outcome }) => outcome !== 'published');
if (failed.length > 0) throw new Error(JSON.stringify(failed));
