import { catalogFrom } from './collecting-catalog.ts';
import { demandFrom } from './collecting-demand.ts';

/** Program that collects once and may be killed. Arguments: `catalog` or `demand`, data folder, gateway. */
const [what, data, gateway] = process.argv.slice(2);
if (data === undefined || gateway === undefined)
  throw new Error('Give the data folder and the gateway.');
// No fault hangs in this test, so a long timeout only allows for a busy machine.
const from = { gateway, limits: { callsPerSecond: 100_000 } };
const done =
  what === 'demand' ? [await demandFrom(data, from)] : (await catalogFrom(data, from)).parts;
process.exitCode = done.every(({ outcome }) => outcome === 'published') ? 0 : 1;
