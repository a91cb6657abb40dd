import { shownLabel } from '../../data/shown-label.ts';
import type { Field, FieldRole, Origin, Row } from '../../data/axis.ts';
import { parseQuery, type ParsedQuery } from '../../data/korean/terms.ts';
import type { Language } from '../../contract/language.ts';
import { matchesOf } from '../../lookup/matches.ts';
import { namedDatasets, type NamedDataset } from '../../lookup/datasets.ts';
import { rewritesWithResults } from '../../lookup/rewrites.ts';
import { sameNameTarget } from '../../lookup/same-name.ts';
import { recordTarget } from '../../lookup/endpoints/search.ts';
import type { IsAbandoned } from '../../lookup/store/sliced-work.ts';
import type { LookupStore, SearchHit, SearchResult } from '../../lookup/store/store.ts';
import { formatNumber, markRanges, emptyHtml } from '../layout.ts';
import { homeTexts } from './texts.ts';
import { html, type Html } from '../html.ts';

interface SearchView {
  readonly store: LookupStore;
  readonly language: Language;
  /** Normalised and not blank. */
  readonly q: string;
  readonly offset: number;
  readonly isAbandoned: IsAbandoned;
}

/** Renders a page of results; where nothing is found, of the likeliest other rewrite of the query. */
export async function searchResults(view: SearchView): Promise<Html> {
  const { store, language, q, isAbandoned } = view;
  const words = homeTexts[language];
  const typed = parseQuery(q);
  if (typed.terms.length === 0) return html`<p role="status">${words.none(q)}</p>`;
  const found = await store.search({ ...typed, limit: pageSize, offset: view.offset }, isAbandoned);
  if (found.total > 0) return results(view, typed, found, emptyHtml);
  const count = async (query: ParsedQuery): Promise<number> =>
    (await store.search({ ...query, limit: 0, offset: 0 }, isAbandoned)).total;
  const rewrites = await rewritesWithResults(q, { store, scope: 'records', count, isAbandoned });
  const [first, ...others] = rewrites.map(({ text }) => text);
  if (first === undefined) {
    return html`<section aria-labelledby="results">
      <h2 id="results">${words.none(q)}</h2>
    </section>`;
  }
  const query = parseQuery(first);
  const instead = await store.search({ ...query, limit: pageSize, offset: 0 }, isAbandoned);
  const links = others.map(
    (other) => html`<li><a href="${searchLink(language, other, 0)}">${other}</a></li>`,
  );
  const notice = html`<p role="status">${words.readAs(q, first)}</p>
    ${
      others.length === 0
        ? emptyHtml
        : html`<p>${words.tryInstead}</p>
            <ul class="chips">
              ${links}
            </ul>`
    }`;
  return results({ ...view, q: first, offset: 0 }, query, instead, notice);
}

async function results(
  view: SearchView,
  query: ParsedQuery,
  found: SearchResult,
  notice: Html,
): Promise<Html> {
  const { store, language, q, offset, isAbandoned } = view;
  const words = homeTexts[language];
  const { hits, hitsTotal, total, totalRelation } = found;
  const count = formatNumber(total) + (totalRelation === 'gte' ? '+' : '');
  const datasets = offset === 0 ? await namedDatasets(query, found, store, isAbandoned) : [];
  return html`<section aria-labelledby="results">
    <h2 id="results">${words.found(q, count)}</h2>
    ${notice} ${datasetList(datasets, view)}
    <ol class="cards" start="${offset + 1}">
      ${hits.map((hit) => resultCard(hit, view, query.terms))}
    </ol>
    ${pages(view, totalRelation === 'gte' ? hits.length === pageSize : offset + pageSize < hitsTotal)}
  </section>`;
}

const pageSize = 20;
const matchesShown = 3;

/** Datasets that the query names, before the records. */
function datasetList(datasets: readonly NamedDataset[], { store, language }: SearchView): Html {
  if (datasets.length === 0) return emptyHtml;
  const { datasets: heading } = homeTexts[language];
  return html`<h3>${heading}</h3>
    <ul class="datasets">
      ${datasets.map((dataset) => datasetLine(dataset, store, language))}
    </ul>`;
}

function datasetLine(dataset: NamedDataset, store: LookupStore, language: Language): Html {
  const { axis, title, rows, count, links } = dataset;
  const words = homeTexts[language];
  const target = links.rows ?? links.source;
  const size = rows === null ? words.notHeld : words.datasetRows(formatNumber(rows));
  const found =
    rows === null || count === 0 || count === rows
      ? ''
      : ` · ${words.matching(formatNumber(count))}`;
  const origin = axis === null ? null : store.axes.get(axis)!.axis.origin;
  return html`<li>
    ${target === null ? title : html`<a href="${target}">${title}</a>`}
    ${sampleBadge(origin, words)}
    <span class="quiet">${size}${found}</span>
  </li>`;
}

function sampleBadge(origin: Origin | null, words: (typeof homeTexts)[Language]): Html {
  return origin === 'sample'
    ? html`<span class="badge sample">${words.origins.sample}</span>`
    : emptyHtml;
}

function resultCard(
  hit: SearchHit,
  { store, language }: SearchView,
  terms: Parameters<typeof matchesOf>[2],
): Html {
  const words = homeTexts[language];
  const stored = store.axes.get(hit.axis)!;
  const { axis, fields } = stored;
  // A store's record is the JSON of a row.
  const record = JSON.parse(hit.record.toString()) as Row;
  const searchable = fields
    .filter((field) => field.searchable)
    .map((field) => ({ name: field.name, label: shownLabel(field) }));
  const matches = matchesOf(record, searchable, terms);
  const name = fields.find((field) => field.role === 'name');
  const title =
    (name === undefined ? null : record[name.name]) ?? matches[0]?.snippet ?? axis.title;
  const same = sameNameTarget(hit, stored, record);
  return html`<li>
    <h3><a href="${recordTarget(hit)}">${String(title)}</a></h3>
    <p class="quiet">${axis.title} ${sampleBadge(axis.origin, words)}</p>
    ${matches
      .slice(0, matchesShown)
      .map(({ label, snippet, ranges }) => html`<p>${label}: ${markRanges(snippet, ranges)}</p>`)}
    ${dateAndPlace(record, fields, new Set(matches.map(({ field }) => field)))}
    ${same === null ? emptyHtml : html`<p><a href="${same}">${words.more(formatNumber(hit.more))}</a></p>`}
  </li>`;
}

/** Dates and places that distinguish records of the same name, unless the matches show them already. */
function dateAndPlace(record: Row, fields: readonly Field[], shown: ReadonlySet<string>): Html {
  const facts = fields.flatMap((field) => {
    const { name, role } = field;
    const value = record[name] ?? null;
    if (role === null || !distinctiveRoles.has(role) || value === null || shown.has(name))
      return [];
    return [`${shownLabel(field)}: ${String(value).slice(0, valueUnitsMax).toWellFormed()}`];
  });
  if (facts.length === 0) return emptyHtml;
  return html`<p class="quiet">${facts.slice(0, factsMax).join(' · ')}</p>`;
}

const distinctiveRoles: ReadonlySet<FieldRole> = new Set(['date', 'address', 'sido', 'sigungu']);
const factsMax = 2;
const valueUnitsMax = 80;

function pages({ language, q, offset }: SearchView, hasNext: boolean): Html {
  const words = homeTexts[language];
  const previous = Math.max(0, offset - pageSize);
  return html`<nav class="pages" aria-label="${words.pages}">
    <span>${offset > 0 ? link(language, q, previous, words.previous, 'prev') : emptyHtml}</span>
    <span>${hasNext ? link(language, q, offset + pageSize, words.next, 'next') : emptyHtml}</span>
  </nav>`;
}

function link(language: Language, q: string, offset: number, text: string, rel: string): Html {
  return html`<a rel="${rel}" href="${searchLink(language, q, offset)}">${text}</a>`;
}

function searchLink(language: Language, q: string, offset: number): string {
  const query = new URLSearchParams({ lang: language, q });
  if (offset > 0) query.set('offset', String(offset));
  return `/?${query.toString()}`;
}
