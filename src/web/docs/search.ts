import { queryRewrites } from '../../data/korean/rewrites.ts';
import { parseQuery } from '../../data/korean/terms.ts';
import type { Library, LibraryPage } from './library.ts';
import type { Section } from './sections.ts';

export interface DocsHit {
  readonly page: LibraryPage;
  readonly section: Section;
  readonly snippet: string;
  /** `[start, end)` in UTF-16 units of the snippet. */
  readonly ranges: readonly (readonly [number, number])[];
}

/** Finds the sections that contain every term of a query, best first. Terms are normalised as in the data search. */
export function searchDocs(library: Library, query: string): readonly DocsHit[] {
  const terms = parseQuery(query).terms.map(({ text }) => text);
  if (terms.length === 0) return [];
  return library.pages
    .flatMap((page) => page.sections.map((section) => ({ page, section })))
    .map((place) => ({ ...place, score: scoreOf(place.page, place.section, terms) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, hitsMax)
    .map(({ page, section }) => ({ page, section, ...snippetOf(section.text, terms) }));
}

/** Similar queries that have results. */
export function suggestQueries(library: Library, query: string): readonly string[] {
  return queryRewrites(query)
    .map(({ text }) => text)
    .filter((other) => searchDocs(library, other).length > 0);
}

const hitsMax = 30;

/** Score of a section, in which headings count more than text; 0 if any term is missing. */
function scoreOf(page: LibraryPage, section: Section, terms: readonly string[]): number {
  const title = page.sections[0]?.compared.heading ?? '';
  const { heading, text } = section.compared;
  let score = 0;
  for (const term of terms) {
    const sectionScore = (heading.includes(term) ? 8 : 0) + (text.includes(term) ? 2 : 0);
    if (sectionScore === 0 && !title.includes(term)) return 0;
    score += sectionScore + (title.includes(term) ? 3 : 0);
  }
  // A term of the title matches every section of the page, so only the first one counts.
  const hasTerm = terms.some((term) => heading.includes(term) || text.includes(term));
  return hasTerm || section.level === 1 ? score : 0;
}

function snippetOf(text: string, terms: readonly string[]): Pick<DocsHit, 'snippet' | 'ranges'> {
  const first = Math.max(0, lowestIndex(terms.map((term) => text.toLowerCase().indexOf(term))));
  const start = Math.max(0, text.lastIndexOf(' ', Math.max(0, first - contextLength)) + 1);
  const snippet = text.slice(start, start + snippetLength).toWellFormed();
  const lower = snippet.toLowerCase();
  const ranges = terms
    .map((term) => [lower.indexOf(term), lower.indexOf(term) + term.length] as const)
    .filter(([from]) => from >= 0 && lower.length === snippet.length)
    .sort(([a], [b]) => a - b)
    .filter(([from], at, all) => at === 0 || from >= all[at - 1]![1]);
  return { snippet, ranges };
}

const contextLength = 40;
const snippetLength = 160;

/** The lowest index that is not -1; -1 if there is none. */
function lowestIndex(indexes: readonly number[]): number {
  const matches = indexes.filter((index) => index >= 0);
  return matches.length === 0 ? -1 : Math.min(...matches);
}
