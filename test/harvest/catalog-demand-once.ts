import { catalogFrom } from './collecting-catalog.ts';
import { demandFrom } from './collecting-demand.ts';

/**
 * Collects the catalog or the ranking once; returns true if all of it is published. As a program, which may be killed,
 * it takes the arguments from the command line.
 */
export async function collectOnce(
  source: 'catalog' | 'demand',
  data: string,
  gateway: string,
): Promise<boolean> {
  const from = { gateway, limits: { callsPerSecond: 100_000 } };
  const done =
    source === 'demand' ? [await demandFrom(data, from)] : (await catalogFrom(data, from)).parts;
  return done.every(({ outcome }) => outcome === 'published');
}

if (import.meta.main) {
  const [source, data, gateway] = process.argv.slice(2);
  // The test passes these arguments.
  await collectOnce(source as 'catalog' | 'demand', data!, gateway!);
}
