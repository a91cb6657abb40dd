import { collectFrom } from './collecting.ts';

/** A program that collects once, to be killed at any moment: data folder, gateway, codes. */
const [data, gateway, ...codes] = process.argv.slice(2);
if (data === undefined || gateway === undefined) throw new Error('Say where to and where from.');
const report = await collectFrom(data, codes, { gateway });
process.exitCode = report.axes.every(({ outcome }) => outcome === 'published') ? 0 : 1;
