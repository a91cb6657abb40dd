import type { Origin } from '../data/axis.ts';

/** The origin that all parts of an answer have; null if they differ or there are none. */
export function originOfAll(origins: readonly (Origin | null)[]): Origin | null {
  const [first = null] = origins;
  return origins.every((origin) => origin === first) ? first : null;
}
