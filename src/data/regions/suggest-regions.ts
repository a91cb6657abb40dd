import { disassemble } from 'es-hangul';
import { nameKey } from './name-key.ts';
import { fullName, regionTable } from './region-table.ts';
import type { Region } from './region-table.ts';

/** Names of living regions that resemble a text no region answers to, nearest first, at most five. */
export function suggestRegions(sido: string, sigungu = ''): string[] {
  const given = nameKey(sido + sigungu).slice(0, givenLengthMax);
  if (given === '') return [];
  return candidates()
    .map((candidate) => ({ candidate, distance: distanceTo(candidate, given) }))
    .filter(({ distance }) => distance <= distanceMax(given))
    .sort((a, b) => a.distance - b.distance || (a.candidate.name < b.candidate.name ? -1 : 1))
    .slice(0, suggestionsMax)
    .map(({ candidate }) => candidate.name);
}

const suggestionsMax = 5;
/** Longer than any region's full name; the cost of comparing grows with it. */
const givenLengthMax = 24;

interface Candidate {
  readonly name: string;
  /** The forms in which people write it, as letters (jamo). */
  readonly spellings: readonly string[];
}

let prepared: readonly Candidate[] | null = null;

/** Prepared when first needed: most processes never suggest anything. */
function candidates(): readonly Candidate[] {
  prepared ??= regionTable
    .filter(({ until }) => until === null)
    .map((region) => ({ name: fullName(region), spellings: spellingsOf(region).map(lettersOf) }));
  return prepared;
}

function spellingsOf(region: Region): string[] {
  if (region.level === 'sido') return [region.name, region.short];
  const full = fullName(region);
  const [sido = ''] = full.split(' ');
  const short = regionTable.find(({ name }) => name === sido)?.short ?? sido;
  return [full, `${short}${region.name}`, region.name];
}

function lettersOf(text: string): string {
  return disassemble(nameKey(text));
}

/** Letters apart at the best spelling; a text that is a part of the name is nearly the name. */
function distanceTo({ spellings }: Candidate, given: string): number {
  const letters = disassemble(given);
  return Math.min(
    ...spellings.map((spelling) =>
      letters.length >= partLengthMin && spelling.includes(letters)
        ? 0
        : editDistance(letters, spelling, distanceMax(given)),
    ),
  );
}

/** Two syllables of three letters or so: one alone is a part of half the names. */
const partLengthMin = 4;

/** Allows one wrong letter in four, so that 서을특별시 finds 서울특별시 and 강남 does not find 강릉. */
function distanceMax(given: string): number {
  return Math.max(1, Math.floor(disassemble(given).length / 4));
}

/** Levenshtein's distance, or more than `max` as soon as it must be more. */
function editDistance(one: string, other: string, max: number): number {
  if (Math.abs(one.length - other.length) > max) return max + 1;
  let previous = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i++) {
    const current = [i];
    for (let j = 1; j <= other.length; j++) {
      const change = one.charAt(i - 1) === other.charAt(j - 1) ? 0 : 1;
      current.push(
        Math.min(
          (previous[j] ?? 0) + 1,
          (current[j - 1] ?? 0) + 1,
          (previous[j - 1] ?? 0) + change,
        ),
      );
    }
    if (Math.min(...current) > max) return max + 1;
    previous = current;
  }
  return previous[other.length] ?? max + 1;
}
