import { catalogFrom } from './collecting-catalog.ts';
import { demandFrom } from './collecting-demand.ts';

/**
 * Collects the catalog or the ranking once; returns true if all of it is published. As a program, which may be killed,
 * it takes the arguments from the command line.
 */
export async function collectOnce(
  what: 'catalog' | 'demand',
  data: string,
  gateway: string,
): Promise<boolean> {
  // No fault hangs in this test, so a long timeout only allows for a busy machine.
  const from = { gateway, limits: { callsPerSecond: 100_000 } };
  const done =
    what === 'demand' ? [await demandFrom(data, from)] : (await catalogFrom(data, from)).parts;
  return done.every(({ outcome }) => outcome === 'published');
}

if (import.meta.main) {
  const [what, data, gateway] = process.argv.slice(2);
  // The test gives them.
  await collectOnce(what as 'catalog' | 'demand', data!, gateway!);
}
