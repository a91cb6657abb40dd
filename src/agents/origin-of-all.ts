import type { Origin } from '../data/axis.ts';

/** The origin shared by all parts of an answer; null if they differ or there are no parts. */
export function originOfAll(origins: readonly (Origin | null)[]): Origin | null {
  const [first = null] = origins;
  return origins.every((origin) => origin === first) ? first : null;
}
