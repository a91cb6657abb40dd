import type { StoredAxis } from '../axis.ts';
import type { Demand, DemandItem, UnlinkedDemand } from '../demand.ts';
import { koreanTitle } from '../readable-title.ts';
import { matchingText, unspacedText } from '../korean/normalise.ts';

/** Parts of an axis that a keyword may match; the first that does is reported. */
const demandMatches = ['title', 'keyword', 'field', 'name'] as const;
type DemandMatch = (typeof demandMatches)[number];

/** Access to the rest of a snapshot while keywords are linked. */
export interface DemandSources {
  /** Number of catalog datasets that a search for the keyword finds. */
  countCatalog(keyword: string): number | Promise<number>;
  /** Keywords of the catalog for the dataset of an axis. */
  catalogKeywords?(axis: string): readonly string[];
  /** Codes of axes with a record whose name contains the keyword. */
  axesWithName?(keyword: string): readonly string[] | Promise<readonly string[]>;
}

/**
 * Links every keyword to axes: first those with all of its words in the title, then those that have it as a keyword in
 * the catalog, as a field label, or in the name of a record. Spaces and case are ignored. Equal input gives equal links.
 */
export async function linkDemand(
  demand: UnlinkedDemand,
  axes: Iterable<StoredAxis>,
  sources: DemandSources,
): Promise<Demand> {
  const sortedAxes = [...axes].sort((left, right) => (left.axis.code < right.axis.code ? -1 : 1));
  const index = buildLinkIndex(sortedAxes, sources);
  const items: DemandItem[] = [];
  for (const item of demand.items) {
    const matchByAxis = new Map<string, DemandMatch>();
    const add = (codes: Iterable<string>, match: DemandMatch): void => {
      for (const code of codes) if (!matchByAxis.has(code)) matchByAxis.set(code, match);
    };
    const compactKeyword = unspacedText(item.keyword);
    const words = matchingText(item.keyword).split(' ');
    add(index.axesWithTitle(words), 'title');
    add(index.keywords.get(compactKeyword) ?? [], 'keyword');
    add(index.labels.get(compactKeyword) ?? [], 'field');
    const withName = (await sources.axesWithName?.(item.keyword)) ?? [];
    add(withName.filter((code) => index.titles.has(code)).toSorted(), 'name');
    const links = [...matchByAxis].slice(0, axesPerKeywordMax).map(([axis, match]) => ({
      axis,
      title: index.titles.get(axis) ?? axis,
      match,
    }));
    items.push({ ...item, axes: links, catalogTotal: await sources.countCatalog(item.keyword) });
  }
  return { ...demand, items };
}

/** Limit for keywords such as 주소, which match nearly every axis; the closest matches come first. */
const axesPerKeywordMax = 50;

interface LinkIndex {
  readonly titles: ReadonlyMap<string, string>;
  readonly keywords: ReadonlyMap<string, readonly string[]>;
  readonly labels: ReadonlyMap<string, readonly string[]>;
  axesWithTitle(words: readonly string[]): string[];
}

function buildLinkIndex(axes: readonly StoredAxis[], sources: DemandSources): LinkIndex {
  const keywords = new Map<string, string[]>();
  const labels = new Map<string, string[]>();
  const compactTitles = axes.map(
    ({ axis }) => [axis.code, unspacedText(koreanTitle(axis.title))] as const,
  );
  for (const { axis, fields } of axes) {
    const catalogKeywords = new Set((sources.catalogKeywords?.(axis.code) ?? []).map(unspacedText));
    for (const keyword of catalogKeywords) listOf(keywords, keyword).push(axis.code);
    const names = new Set(
      fields.flatMap(({ label }) => [unspacedText(label), subjectOf(unspacedText(label))]),
    );
    for (const label of names) listOf(labels, label).push(axis.code);
  }
  return {
    titles: new Map(axes.map(({ axis }) => [axis.code, axis.title])),
    keywords,
    labels,
    axesWithTitle: (words) =>
      words.join('').length < wordLengthMin
        ? []
        : compactTitles
            .filter(([, title]) => words.every((word) => title.includes(word)))
            .map(([code]) => code),
  };
}

/** Two, because a single syllable occurs in half of all titles, mostly with another meaning. */
const wordLengthMin = 2;

/** The label without a suffix such as 명: `주차장명` becomes `주차장`. */
function subjectOf(label: string): string {
  const subject = label.replace(/(?:명칭|명|이름|구분|유형|종류|코드|번호|수)$/, '');
  return subject.length >= wordLengthMin ? subject : label;
}

function listOf(map: Map<string, string[]>, key: string): string[] {
  let list = map.get(key);
  if (list === undefined) map.set(key, (list = []));
  return list;
}
