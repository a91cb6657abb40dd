import type { LabelSource } from '../../data/axis.ts';
import knownNames from './known-names.json' with { type: 'json' };
import { labelWords } from './label-words.ts';
import { nameParts } from './station-word.ts';
import { englishOfStandardLabel, standardNames } from './standard-names.ts';
import { splitUnit } from './unit.ts';

/**
 * Korean label of a column: its own header, a published label, or the meanings of its words. `station` is the word for
 * a station in its table; null if that is unknown.
 */
export function labelOf(name: string, station: string | null = null): Label {
  if (/[가-힣]/.test(name)) return headerLabel(name);
  const standard = standardNames.get(name);
  if (standard !== undefined) {
    return { label: standard[0], labelEn: standard[1], labelSource: 'standard', unit: null };
  }
  const isStation = station !== null && nameParts(name).some((part) => isStationPart(part));
  const entry = isStation ? undefined : dictionary.get(name);
  if (entry !== undefined) {
    return { label: entry[0], labelEn: entry[1], labelSource: 'dictionary', unit: null };
  }
  const { words, unit } = splitUnit(name);
  const label = inferredLabel(words, station);
  return {
    label: label ?? nestedLabel(name, station),
    labelEn: null,
    labelSource: 'inferred',
    unit,
  };
}

export interface Label {
  /** Korean and never empty. */
  readonly label: string;
  readonly labelEn: string | null;
  readonly labelSource: LabelSource;
  readonly unit: string | null;
}

/** Labels for names that mean the same in all services of the portal. */
const dictionary: ReadonlyMap<string, readonly [string, string | null]> = new Map(
  Object.entries(knownNames).flatMap(([name, [label, labelEn]]) =>
    typeof label === 'string' ? [[name, [label, labelEn ?? null] as const] as const] : [],
  ),
);

function headerLabel(name: string): Label {
  const { words, unit } = splitUnit(name);
  const label = words.replaceAll(/[._\s]+/g, ' ').trim() || name;
  const labelEn = englishOfStandardLabel.get(label.replaceAll(' ', '')) ?? null;
  return { label, labelEn, labelSource: 'header', unit };
}

/** Label of a member in an object, `pos.lat` → `pos 위도`; a name with an unknown word is kept: `xyz 항목`. */
function nestedLabel(name: string, station: string | null): string {
  const cut = name.lastIndexOf('.');
  const own = cut < 1 ? null : labelOf(name.slice(cut + 1), station).label;
  if (own === null || own.endsWith(' 항목')) return `${name.trim() || '이름 없는'} 항목`;
  return `${name.slice(0, cut)} ${own}`;
}

/** `facilityNm` → `시설명`, `citycode` → `도시코드`; null for a name with an unknown word. */
function inferredLabel(name: string, station: string | null): string | null {
  const parts = nameParts(name);
  const meanings = parts.map((part, index) =>
    isStationPart(part)
      ? station
      : meaningOf(part, index > 0 && index === parts.length - 1 ? lastWords : null),
  );
  if (languages.has(parts.at(-1)?.toLowerCase() ?? '')) meanings.unshift(meanings.pop()!);
  // 명 is only a suffix: `facilityNm` is 시설명, but `name` alone is 이름.
  const label = meanings.join('') === '명' ? '이름' : meanings.join('');
  // A partly translated name would be wrong: `trainCo` is not train수.
  return meanings.includes(null) || !/[가-힣]/.test(label) ? null : label;
}

function isStationPart(part: string): boolean {
  return /^(?:station|stn)$/i.test(part);
}

/** Languages at the end of a name move to the start of its label: `nameEn` is 영문명. */
const languages: ReadonlySet<string> = new Set(['en', 'eng', 'kor', 'hanja']);

/** Words with this meaning only at the end of a name: elsewhere `no2` and `co` are gases, and `tm` a projection. */
const lastWords: ReadonlyMap<string, string> = new Map([
  ['no', '번호'],
  ['co', '수'],
  ['dt', '일자'],
  ['tm', '시각'],
]);

function meaningOf(part: string, last: ReadonlyMap<string, string> | null): string | null {
  const [, stem = part, digits = ''] = /^(.*?)(\d*)$/.exec(part) ?? [];
  const lower = stem.toLowerCase();
  const meaning = labelWords.get(lower) ?? last?.get(lower) ?? translateSegments(lower);
  return meaning === null ? null : meaning + digits;
}

/** Splits letters such as `citycode` into known words, longest first; null if a part is unknown. */
function translateSegments(text: string): string | null {
  if (text.length > runLengthMax) return null;
  // Filled from the end, so that each rest is split once, however ambiguous the words are.
  const meanings: (string | null)[] = Array.from({ length: text.length + 1 }, () => null);
  meanings[text.length] = '';
  for (let start = text.length - 2; start >= 0; start--) {
    for (let end = Math.min(text.length, start + wordLengthMax); end >= start + 2; end--) {
      const meaning = labelWords.get(text.slice(start, end));
      const rest = meanings[end];
      if (meaning === undefined || rest === null || rest === undefined) continue;
      meanings[start] = meaning + rest;
      break;
    }
  }
  return meanings[0] ?? null;
}

const wordLengthMax = 11;
/** A longer sequence of letters is not made of words. */
const runLengthMax = 60;
