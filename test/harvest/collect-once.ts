import { collectFrom } from './collecting.ts';

/** A program that collects once, to be killed at any moment: data folder, gateway, codes. */
const [data, gateway, ...codes] = process.argv.slice(2);
if (data === undefined || gateway === undefined)
  throw new Error('Give the data folder and the gateway.');
const report = await collectFrom(data, codes, { gateway });
process.exitCode = report.axes.every(({ outcome }) => outcome === 'published') ? 0 : 1;
