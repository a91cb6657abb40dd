import { collectFrom } from './collecting.ts';

/** Program that collects once and may be killed. Arguments: data folder, gateway, codes. */
const [data, gateway, ...codes] = process.argv.slice(2);
if (data === undefined || gateway === undefined)
  throw new Error('Give the data folder and the gateway.');
const report = await collectFrom(data, codes, { gateway });
process.exitCode = report.axes.every(({ outcome }) => outcome === 'published') ? 0 : 1;
