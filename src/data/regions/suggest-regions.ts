import { disassemble } from 'es-hangul';
import { nameKey } from './name-key.ts';
import { fullName, regionTable } from './region-table.ts';
import type { Region } from './region-table.ts';

/** At most five names of current regions that resemble a text, nearest first. */
export function suggestRegions(sido: string, sigungu = ''): string[] {
  const typed = nameKey(sido + sigungu).slice(0, typedLengthMax);
  if (typed === '') return [];
  return candidateRegions()
    .map((candidate) => ({ candidate, distance: distanceTo(candidate, typed) }))
    .filter(({ distance }) => distance <= distanceLimit(typed))
    .sort((a, b) => a.distance - b.distance || (a.candidate.name < b.candidate.name ? -1 : 1))
    .slice(0, suggestionsMax)
    .map(({ candidate }) => candidate.name);
}

const suggestionsMax = 5;
/** Limit on the compared text: longer than any full name, and short because the cost grows with it. */
const typedLengthMax = 24;

interface Candidate {
  readonly name: string;
  /** Common spellings of the name, as letters (jamo). */
  readonly spellings: readonly string[];
}

let cachedCandidates: readonly Candidate[] | null = null;

/** Computed on first use: most processes never suggest a region. */
function candidateRegions(): readonly Candidate[] {
  cachedCandidates ??= regionTable
    .filter(({ until }) => until === null)
    .map((region) => ({ name: fullName(region), spellings: spellingsOf(region).map(lettersOf) }));
  return cachedCandidates;
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

/** Number of letters by which the text differs from the nearest spelling; 0 if it is part of one. */
function distanceTo({ spellings }: Candidate, typed: string): number {
  const letters = disassemble(typed);
  return Math.min(
    ...spellings.map((spelling) =>
      letters.length >= partLengthMin && spelling.includes(letters)
        ? 0
        : editDistance(letters, spelling, distanceLimit(typed)),
    ),
  );
}

/** About two syllables: a single one is part of half the names. */
const partLengthMin = 4;

/** Allows one wrong letter in four, so that 서을특별시 finds 서울특별시 and 강남 does not find 강릉. */
function distanceLimit(typed: string): number {
  return Math.max(1, Math.floor(disassemble(typed).length / 4));
}

/** Levenshtein distance, or `max + 1` if it is greater than `max`. */
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
