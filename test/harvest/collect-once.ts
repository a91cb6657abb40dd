import { collectFrom } from './collecting.ts';

/** Program that collects once and may be killed. Arguments: data folder, gateway, codes. */
const [data, gateway, ...codes] = process.argv.slice(2);
if (data === undefined || gateway === undefined)
  throw new Error('Give the data folder and the gateway.');
await collectFrom(data, codes, { gateway });
