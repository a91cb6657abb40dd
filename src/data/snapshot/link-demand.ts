import type { StoredAxis } from '../axis.ts';
import type { Demand, DemandItem, UnlinkedDemand } from '../demand.ts';
import { matchingText } from '../korean/normalise.ts';

/** Ways from a keyword to an axis; the first that applies is reported. */
const demandMatches = ['title', 'keyword', 'field', 'name'] as const;
type DemandMatch = (typeof demandMatches)[number];

/** Access to the rest of a snapshot while keywords are linked. */
export interface DemandSources {
  /** Number of catalog datasets that a search for the keyword finds. */
  countCatalog(keyword: string): number | Promise<number>;
  /** Keywords of the catalog for the dataset of an axis. */
  catalogKeywords?(axis: string): readonly string[];
  /** Codes of axes with a record whose name contains the keyword. */
  axesNaming?(keyword: string): readonly string[] | Promise<readonly string[]>;
}

/**
 * Links every keyword to the axes it leads to: all its words in the title, a keyword of the catalog, a field
 * called so, a record named exactly so. Blanks and case do not count. The same input gives the same links.
 */
export async function linkDemand(
  demand: UnlinkedDemand,
  axes: Iterable<StoredAxis>,
  sources: DemandSources,
): Promise<Demand> {
  const held = [...axes].sort((left, right) => (left.axis.code < right.axis.code ? -1 : 1));
  const index = indexOf(held, sources);
  const items: DemandItem[] = [];
  for (const item of demand.items) {
    const found = new Map<string, DemandMatch>();
    const add = (codes: Iterable<string>, match: DemandMatch): void => {
      for (const code of codes) if (!found.has(code)) found.set(code, match);
    };
    const whole = compact(item.keyword);
    const words = matchingText(item.keyword).split(' ');
    add(index.titled(words), 'title');
    add(index.keywords.get(whole) ?? [], 'keyword');
    add(index.labels.get(whole) ?? [], 'field');
    const named = (await sources.axesNaming?.(item.keyword)) ?? [];
    add(named.filter((code) => index.titles.has(code)).toSorted(), 'name');
    const links = [...found].slice(0, axesPerKeywordMax).map(([axis, match]) => ({
      axis,
      title: index.titles.get(axis) ?? axis,
      match,
    }));
    items.push({ ...item, axes: links, catalogTotal: await sources.countCatalog(item.keyword) });
  }
  return { ...demand, items };
}

/** Nearest matches first: a keyword such as 주소 would name every axis there is. */
const axesPerKeywordMax = 50;

interface LinkIndex {
  readonly titles: ReadonlyMap<string, string>;
  readonly keywords: ReadonlyMap<string, readonly string[]>;
  readonly labels: ReadonlyMap<string, readonly string[]>;
  titled(words: readonly string[]): string[];
}

function indexOf(axes: readonly StoredAxis[], sources: DemandSources): LinkIndex {
  const keywords = new Map<string, string[]>();
  const labels = new Map<string, string[]>();
  const compactTitles = axes.map(({ axis }) => [axis.code, compact(axis.title)] as const);
  for (const { axis, fields } of axes) {
    const given = new Set((sources.catalogKeywords?.(axis.code) ?? []).map(compact));
    for (const keyword of given) listIn(keywords, keyword).push(axis.code);
    const called = new Set(
      fields.flatMap(({ label }) => [compact(label), thingOf(compact(label))]),
    );
    for (const label of called) listIn(labels, label).push(axis.code);
  }
  return {
    titles: new Map(axes.map(({ axis }) => [axis.code, axis.title])),
    keywords,
    labels,
    titled: (words) =>
      words.join('').length < wordLengthMin
        ? []
        : compactTitles
            .filter(([, title]) => words.every((word) => title.includes(word)))
            .map(([code]) => code),
  };
}

/** A single syllable is part of half of all titles and means another thing in most of them. */
const wordLengthMin = 2;

/** `주차장명` speaks of a 주차장. */
function thingOf(label: string): string {
  const thing = label.replace(/(?:명칭|명|이름|구분|유형|종류|코드|번호|수)$/, '');
  return thing.length >= wordLengthMin ? thing : label;
}

function compact(text: string): string {
  return matchingText(text).replaceAll(' ', '');
}

function listIn(map: Map<string, string[]>, key: string): string[] {
  let list = map.get(key);
  if (list === undefined) map.set(key, (list = []));
  return list;
}
