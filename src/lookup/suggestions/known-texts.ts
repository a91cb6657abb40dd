import { romanize } from 'es-hangul';
import { lookupContract } from '../../contract/lookup.ts';
import type { Origin, StoredAxis } from '../../data/axis.ts';
import { matchingText, parameterText } from '../../data/korean/normalise.ts';
import { synonymWords } from '../../data/korean/synonyms.ts';
import { parseQuery } from '../../data/korean/terms.ts';
import { currentSuccessors } from '../../data/regions/coverage.ts';
import {
  fullName,
  regionByCode,
  regionTable,
  type Region,
} from '../../data/regions/region-table.ts';
import { hasKoreanLabel } from '../../data/shown-label.ts';
import { koreanTitle } from '../../data/readable-title.ts';
import { canonicalUrl } from '../../kernel/http/canonical-url.ts';
import { perStore } from '../per-store.ts';
import { SlicedWork } from '../store/sliced-work.ts';
import type { LookupStore } from '../store/store.ts';
import { SpellingIndex } from './spelling-index.ts';

/** Text that can be suggested without reading a record. */
export interface StoreText {
  readonly kind: 'dataset' | 'region' | 'word';
  readonly text: string;
  /** Searches that the text stands for, the most precise first. */
  readonly queries: readonly string[];
  /** True if the first search is known to find something. */
  readonly isSure: boolean;
  readonly detail: string | null;
  readonly origin: Origin | null;
  /** Address of the item itself; null for a word. */
  readonly self: string | null;
}

/** Texts of a store, with an index of their spellings. */
interface StoreTexts {
  readonly texts: readonly StoreText[];
  readonly spellings: SpellingIndex;
}

/** Datasets, regions and words of a store, the most important ones first; collected in slices, once. */
export const knownTexts = perStore((store) => new SlicedWork().run(collectTexts(store)));

function* collectTexts(store: LookupStore): Generator<void, StoreTexts> {
  // The largest datasets are listed first.
  const axes = [...store.axes.values()].sort((a, b) => b.rows - a.rows);
  const spelt: Spelt[] = [
    ...axes.map(datasetSpelt),
    ...(yield* regionTexts()),
    ...(yield* wordTexts(axes, store)).slice(0, wordsMax),
  ];
  yield;
  return {
    texts: spelt.map(({ known }) => known),
    spellings: yield* SpellingIndex.build(spelt.map(({ spellings }) => spellings)),
  };
}

interface Spelt {
  readonly known: StoreText;
  readonly spellings: readonly string[];
}

const wordsMax = 20_000;

function datasetSpelt(stored: StoredAxis): Spelt {
  const { title, titleEn } = stored.axis;
  const titles = [title, koreanTitle(title), ...(titleEn === null ? [] : [titleEn])];
  return { known: datasetText(stored), spellings: [...new Set(titles)] };
}

/** A dataset by its title. */
export function datasetText({ axis }: StoredAxis): StoreText {
  const { code, title, origin, provider } = axis;
  return {
    kind: 'dataset',
    text: koreanTitle(title),
    queries: [titleQuery(title)],
    isSure: true,
    detail: provider?.name ?? null,
    origin,
    self: canonicalUrl(lookupContract.rows, { axis: code }),
  };
}

/** The words of a title by which a search finds its dataset: single syllables and quotes are not subjects. */
function titleQuery(title: string): string {
  const words = parameterText(title).replace(/["“”]/g, ' ').split(' ');
  const subjects = words.filter((word) => word.length >= (/^[\x21-\x7e]*$/.test(word) ? 3 : 2));
  return (subjects.length === 0 ? words.join('') : subjects.join(' '))
    .slice(0, queryUnitsMax)
    .trim();
}

/** Bound on such a search, in UTF-16 units. A word that it cuts is still a part of the title. */
const queryUnitsMax = 160;

let cachedRegionTexts: readonly Spelt[] | null = null;

/** Regions by the names that people use, the same for every store: full, short, former and romanised ones. */
function* regionTexts(): Generator<void, readonly Spelt[]> {
  return (cachedRegionTexts ??= yield* spellRegions());
}

function* spellRegions(): Generator<void, Spelt[]> {
  const bySize = regionTable.toSorted(
    (a, b) => Number(a.until !== null) - Number(b.until !== null) || a.code.length - b.code.length,
  );
  const spelt: Spelt[] = [];
  for (const [at, region] of bySize.entries()) {
    spelt.push(spellRegion(region));
    if (at % regionsOfStep === 0) yield;
  }
  return spelt;
}

/** Regions that are romanised at once, in less than a millisecond. */
const regionsOfStep = 4;

function spellRegion(region: Region): Spelt {
  const sido = region.level === 'sido' ? region : regionByCode(region.code.slice(0, 2))!;
  const stem = region.level === 'sido' ? region.short : region.name.slice(0, -1);
  const inSido = region.level === 'sido' ? [] : [`${sido.short}${region.name}`, fullName(region)];
  const names = [region.name, stem];
  const known: StoreText = {
    kind: 'region',
    text: fullName(region),
    queries: region.level === 'sido' ? names : [`${sido.short} ${region.name}`, region.name],
    isSure: false,
    detail: region.until === null ? null : currentNames(region),
    origin: null,
    self: canonicalUrl(
      lookupContract.region,
      region.level === 'sido' ? { sido: region.name } : { sido: sido.name, sigungu: region.name },
    ),
  };
  const romanised = region.until === null ? names.map((name) => romanize(name)) : [];
  return { known, spellings: [...new Set([...names, ...inSido, ...romanised])] };
}

/** Current regions in place of a former one. */
function currentNames(region: Region): string | null {
  const names = currentSuccessors(region).map(fullName);
  return names.length === 0 ? null : names.join(', ');
}

/** Words of titles and labels that datasets are about, keywords of the demand, and names of kinds of places. */
function* wordTexts(axes: readonly StoredAxis[], store: LookupStore): Generator<void, Spelt[]> {
  const words = new Map<string, StoreText>();
  const add = (
    text: string,
    isSure: boolean,
    origin: Origin | null,
    detail: string | null,
  ): void => {
    const key = matchingText(text);
    const earlier = words.get(key);
    if (earlier !== undefined && (earlier.isSure || !isSure)) return;
    words.set(key, { kind: 'word', text, queries: [text], isSure, detail, origin, self: null });
  };
  const real = axes.filter(({ axis }) => axis.origin !== 'sample');
  const sample = axes.filter(({ axis }) => axis.origin === 'sample');
  for (const { axis, fields } of [...real, ...sample]) {
    const labels = fields.filter(hasKoreanLabel).map(({ label }) => label);
    for (const [text, detail] of [
      ...axis.title.split(/[\s()_·,"“”]+/).map((word) => [word, null] as const),
      ...labels.map((label) => [label.replaceAll(' ', ''), axis.title] as const),
    ]) {
      const { terms } = parseQuery(text);
      const isSubject = terms.length === 1 && store.topics.isAbout(axis.code, terms[0]!.text);
      if (isSubject) add(text, true, axis.origin, detail);
    }
    yield;
  }
  for (const { keyword } of store.demand?.items ?? []) add(keyword, false, null, null);
  for (const word of synonymWords) add(word, false, null, null);
  const shortestFirst = [...words.values()].sort((a, b) => a.text.length - b.text.length);
  return shortestFirst.map((known) => ({ known, spellings: [known.text] }));
}
