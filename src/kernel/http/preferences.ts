import type { Language } from '../../contract/language.ts';

/** Supported content codings, best first. */
export const codings = ['zstd', 'br', 'gzip'] as const;
export type Coding = (typeof codings)[number];

/** The supported coding with the highest weight in `Accept-Encoding`; of equal ones, the first of `codings`; null for none. */
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
  const preferences = preferencesOf(header);
  return weightOf(preferences, 'en') >
    Math.max(weightOf(preferences, 'ko'), weightOf(preferences, '*'))
    ? 'en'
    : 'ko';
}

/** The one of `types` with the highest weight in `Accept`; null if the header has none of them. */
export function mediaTypeFor(header: string | null, types: readonly string[]): string | null {
  if (header === null || header === '*/*') return null;
  let best: string | null = null;
  let bestWeight = 0;
  const preferences = preferencesOf(header);
  for (const type of types) {
    const weight = typeWeight(preferences, type);
    if (weight > bestWeight) [best, bestWeight] = [type, weight];
  }
  // A browser sends text/html and, with less weight, `*/*`: the caller's default serves it better than any of `types`.
  return bestWeight >= weightOf(preferences, '*/*') ? best : null;
}

/** Weight of a type. A more specific range overrides: `text/csv;q=0, text/*` excludes only CSV. */
function typeWeight(preferences: readonly Preference[], type: string): number {
  const family = `${type.slice(0, type.indexOf('/'))}/*`;
  const exact = preferences.find(({ value }) => value === type);
  return (exact ?? preferences.find(({ value }) => value === family))?.weight ?? 0;
}

interface Preference {
  /** In lower case. */
  readonly value: string;
  readonly weight: number;
}

const codingCache = new Map<string, Coding | null>();
const cachedMax = 256;
const preferencesMax = 32;

function chooseCoding(header: string): Coding | null {
  const preferences = preferencesOf(header);
  let best: Coding | null = null;
  let bestWeight = 0;
  for (const coding of codings) {
    const exact = preferences.find(({ value }) => value === coding || value === `x-${coding}`);
    const weight = exact?.weight ?? preferences.find(({ value }) => value === '*')?.weight ?? 0;
    if (weight > bestWeight) [best, bestWeight] = [coding, weight];
  }
  return bestWeight >= weightOf(preferences, 'identity') ? best : null;
}

function preferencesOf(header: string): Preference[] {
  return header
    .split(',', preferencesMax)
    .map((item) => {
      const [value = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase());
      const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
      const weight = quality === undefined ? 1 : Number(quality);
      return { value, weight: weight >= 0 && weight <= 1 ? weight : 0 };
    })
    .filter(({ value }) => value !== '');
}

/** The highest weight of a value or, for languages, of a more specific one such as `en-US`. */
function weightOf(preferences: readonly Preference[], value: string): number {
  let weight = 0;
  for (const preference of preferences) {
    if (preference.value === value || preference.value.startsWith(`${value}-`)) {
      weight = Math.max(weight, preference.weight);
    }
  }
  return weight;
}
