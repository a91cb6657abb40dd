import type { Language } from '../../contract/language.ts';

/** Content codings we write, best first. */
export const codings = ['zstd', 'br', 'gzip'] as const;
export type Coding = (typeof codings)[number];

/** The coding a client likes best among ours; null for none. Equal wishes are settled by our order. */
export function codingFor(header: string | null): Coding | null {
  if (header === null) return null;
  let coding = codingCache.get(header);
  if (coding === undefined) {
    coding = chooseCoding(header);
    if (codingCache.size < cachedMax) codingCache.set(header, coding);
  }
  return coding;
}

/** Korean unless the client prefers English. */
export function languageFor(header: string | null): Language {
  if (header === null) return 'ko';
  const wishes = wishesOf(header);
  return weightOf(wishes, 'en') > Math.max(weightOf(wishes, 'ko'), weightOf(wishes, '*'))
    ? 'en'
    : 'ko';
}

/** The media type a client likes best among ours; null where it names none of them. */
export function mediaTypeFor(header: string | null, types: readonly string[]): string | null {
  if (header === null || header === '*/*') return null;
  let best: string | null = null;
  let bestWeight = 0;
  const wishes = wishesOf(header);
  for (const type of types) {
    const weight = typeWeight(wishes, type);
    if (weight > bestWeight) [best, bestWeight] = [type, weight];
  }
  // A browser lists text/html first and `*/*` last: a client that prefers the rest gets the default.
  return bestWeight >= weightOf(wishes, '*/*') ? best : null;
}

/** The more exact wish counts: `text/csv;q=0, text/*` is everything of text but CSV. */
function typeWeight(wishes: readonly Wish[], type: string): number {
  const family = `${type.slice(0, type.indexOf('/'))}/*`;
  const exact = wishes.find(({ value }) => value === type);
  return (exact ?? wishes.find(({ value }) => value === family))?.weight ?? 0;
}

interface Wish {
  /** Lower case. */
  readonly value: string;
  readonly weight: number;
}

const codingCache = new Map<string, Coding | null>();
const cachedMax = 256;
const wishesMax = 32;

function chooseCoding(header: string): Coding | null {
  const wishes = wishesOf(header);
  let best: Coding | null = null;
  let bestWeight = 0;
  for (const coding of codings) {
    const named = wishes.find(({ value }) => value === coding || value === `x-${coding}`);
    const weight = named?.weight ?? wishes.find(({ value }) => value === '*')?.weight ?? 0;
    if (weight > bestWeight) [best, bestWeight] = [coding, weight];
  }
  return bestWeight >= weightOf(wishes, 'identity') ? best : null;
}

function wishesOf(header: string): Wish[] {
  return header
    .split(',', wishesMax)
    .map((item) => {
      const [value = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase());
      const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
      const weight = quality === undefined ? 1 : Number(quality);
      return { value, weight: weight >= 0 && weight <= 1 ? weight : 0 };
    })
    .filter(({ value }) => value !== '');
}

/** By the value or, for languages, a narrower one such as `en-US`. */
function weightOf(wishes: readonly Wish[], value: string): number {
  let weight = 0;
  for (const wish of wishes) {
    if (wish.value === value || wish.value.startsWith(`${value}-`)) {
      weight = Math.max(weight, wish.weight);
    }
  }
  return weight;
}
