import { pageContract } from '../../contract/pages.ts';
import type { RouteParameters } from '../../contract/route.ts';
import { parseQuery, type ParsedQuery } from '../../data/korean/terms.ts';
import { canonicalUrl } from '../../kernel/http/canonical-url.ts';
import type { Document } from '../../kernel/http/result.ts';
import { namedDatasets } from '../../lookup/datasets.ts';
import { rewritesWithResults } from '../../lookup/rewrites.ts';
import type { SearchResult } from '../../lookup/store/store.ts';
import { filterChips, linkChips } from '../components/chips.ts';
import { datasetList } from '../components/dataset-list.ts';
import { notice } from '../components/notice.ts';
import { html, type Html } from '../html.ts';
import { emptyHtml, formatNumber, page, searchForm } from '../layout.ts';
import type { PageRequest } from '../serve-page.ts';
import { correctedTopic } from './corrected-topic.ts';
import { datasetIndex } from './dataset-index.ts';
import { withoutFormWords } from './form-words.ts';
import { regionPath } from './paths.ts';
import { nearPlaceQuery } from './named-place.ts';
import { plainWords, readQueryWords } from './query-words.ts';
import { regionChoices, regionInQuery, type QueryRegion } from './query-region.ts';
import { regionPairInQuery, type RegionPair } from './region-pair.ts';
import { catalogSection } from './search-catalog.ts';
import {
  countIn,
  datasetsFound,
  datasetsOfCompounds,
  datasetsOfRegion,
  type FoundDataset,
} from './search-datasets.ts';
import { intentOf } from './search-intent.ts';
import {
  otherDatasets,
  pageSize,
  recordList,
  recordsByDataset,
  type FoundRecords,
} from './search-records.ts';
import { searchTexts } from './search-texts.ts';
import { viewReason, wordsReason, type DatasetsSection } from './search-reasons.ts';
import type { ResultSection, SearchView } from './search-view.ts';
import { suggesting } from '../components/suggesting.ts';

type SearchParams = RouteParameters<typeof pageContract.search>;

/** The search page: datasets, then records by dataset, and the portal's catalog beside; without a query, all datasets. */
export async function searchPage(params: SearchParams, request: PageRequest): Promise<Document> {
  const { language } = request;
  const words = searchTexts[language];
  const { q = '', offset, lang } = params;
  const read = params.rewrite === '1' ? await readQueryWords(q, request) : plainWords(q);
  const view: SearchView = { ...request, words, lang, offset, intent: intentOf(read) };
  const hasQuery = parseQuery(q).terms.length > 0;
  const content = hasQuery
    ? await results(q, params.rewrite === '1', view)
    : datasetIndex(params, view);
  return page({
    language,
    title: `${hasQuery ? q : words.all} – ${words.name}`,
    translationUrl: request.target({ lang: language === 'ko' ? 'en' : 'ko' }),
    isUnlisted: hasQuery,
    width: 'wide',
    main: html`
      ${suggesting(searchForm('/search', 'search', language, q, words), language)} ${content}
    `,
  });
}

/** Results of a query, or of the likeliest other reading where nothing is found. */
async function results(typed: string, mayRewrite: boolean, view: SearchView): Promise<Html> {
  const { words, target, intent } = view;
  const { rest } = intent.words;
  const bare = mayRewrite ? withoutFormWords(rest, view.store) : rest;
  const meant = mayRewrite ? await correctedTopic(bare, view) : null;
  const q = meant ?? bare;
  const parts = await resultParts(q, view);
  const catalog = await catalogSection(parts.query, view);
  const pair = regionPairInQuery(q);
  if (hasResults(parts, view)) {
    const compared = pair === null ? emptyHtml : notice('note', pairLinks(pair, view));
    const near = intent.words.text === '' ? await nearPlaceQuery(q, view) : null;
    const nearby =
      near === null || !parts.datasets.hasMaps
        ? emptyHtml
        : linkChips([{ text: words.nearPlace(near.name), href: target({ q: near.q, offset: 0 }) }]);
    const shortened = bare === rest ? null : words.shortened(bare);
    const corrected = meant === null ? shortened : words.corrected(meant);
    const reason = (await wordsReason(q, parts.datasets, view)) ?? corrected;
    const read = reason === null ? emptyHtml : notice('note', readAs(reason, typed, view));
    return layout(typed, { ...parts, catalog, notice: html`${read} ${nearby} ${compared}` }, view);
  }
  if (pair !== null) {
    const beside = pair.rest === '' ? catalog : await catalogSection(parseQuery(pair.rest), view);
    return html`<h1>${words.heading(typed)}</h1>
      ${notice('note', pairLinks(pair, view))} ${beside.html}`;
  }
  const missing =
    catalog.count === 0 ? words.none(typed) : words.inCatalog(typed, formatNumber(catalog.count));
  const readings = await otherReadings(q, view);
  const others = readings.map((text) => ({
    text: withWords(text, view),
    href: target({ q: withWords(text, view), offset: 0 }),
  }));
  const [first] = readings;
  if (first === undefined || !mayRewrite) {
    const none = html`<p role="status">${missing} ${catalog.count === 0 ? words.noneHelp : ''}</p>
      ${otherQueries(others, view)}`;
    return html`<h1>${words.heading(typed)}</h1>
      ${notice('note', none)} ${catalog.html}`;
  }
  const { text, parts: read } = await partsInRegion(first, parts.region, view);
  const shown = withWords(text, view);
  const instead = { ...view, target: (changes = {}) => target({ q: shown, ...changes }) };
  const reason =
    (await wordsReason(text, read.datasets, view)) ??
    (await viewReason(text, read.datasets, view)) ??
    (catalog.count > 0 ? `${missing} ${words.readInstead(text)}` : words.readAs(typed, text));
  // With words that were read, most other readings have names that merely begin alike.
  const offered = intent.words.text === '' ? others.slice(1) : [];
  const remark = html`${readAs(reason, typed, view)} ${otherQueries(offered, view)}`;
  const beside = catalog.count > 0 ? catalog : await catalogSection(read.query, instead);
  return layout(shown, { ...read, catalog: beside, notice: notice('note', remark) }, instead);
}

/** Results of a reading in the region of the query, or without the region if no dataset has records of it. */
async function partsInRegion(reading: string, region: QueryRegion | null, view: SearchView) {
  if (region !== null && regionInQuery(reading) === null) {
    const text = `${region.text} ${reading}`;
    const parts = await resultParts(text, view);
    if (hasResults(parts, view)) return { text, parts };
  }
  return { text: reading, parts: await resultParts(reading, view) };
}

/** A reading of a query, with the way back to the query as it was typed. */
function readAs(reason: string, typed: string, { words, target }: SearchView): Html {
  return html`<p role="status">
    ${reason} <a href="${target({ rewrite: '0' })}" rel="nofollow">${words.asTyped(typed)}</a>
  </p>`;
}

/** A query with the words that were read beside it. */
function withWords(q: string, { intent: { words } }: Pick<SearchView, 'intent'>): string {
  return [words.place?.text, q, words.amounts?.text].filter((text) => text !== undefined).join(' ');
}

/** Region, records and datasets of a query. */
async function resultParts(q: string, view: SearchView) {
  const { store, isAbandoned, offset } = view;
  const region = regionInQuery(q);
  const query = parseQuery(
    region?.inRecords === undefined ? q : q.replace(region.text, region.inRecords),
  );
  const found = region === null ? null : await recordsIn(region, view);
  const records = found ?? {
    query,
    region: null,
    result: await store.search({ ...query, limit: pageSize, offset }, isAbandoned),
  };
  const datasets = await datasetSection(query, records.result, region, view);
  return { query, region, records, datasets };
}

/** Records of a region with the other words of its query; null if there are none. */
async function recordsIn(
  region: QueryRegion,
  { store, isAbandoned, offset }: SearchView,
): Promise<FoundRecords | null> {
  const query = parseQuery(region.rest);
  if (query.terms.length === 0) return null;
  const search = { ...query, region: region.code, limit: pageSize, offset };
  const result = await store.search(search, isAbandoned);
  return result.total === 0 ? null : { query, region, result };
}

/** True if a query has results. Words for a view of data (월별, 내 주변) do not count as words of a dataset. */
function hasResults(
  { records, datasets }: Awaited<ReturnType<typeof resultParts>>,
  { intent: { grouping, isNear } }: SearchView,
): boolean {
  const isForView = grouping !== null || isNear;
  return records.result.total > 0 || (datasets.count > 0 && !isForView);
}

/** Queries with results in place of a query without: the query without its word of a grouping, else rewrites. */
async function otherReadings(
  q: string,
  { store, isAbandoned, intent: { rest } }: SearchView,
): Promise<string[]> {
  const count = async (query: ParsedQuery): Promise<number> =>
    (await store.search({ ...query, limit: 0, offset: 0 }, isAbandoned)).total;
  const query = parseQuery(rest);
  const isShorter = rest !== q && query.terms.length > 0;
  if (isShorter && (await count(query)) > 0) return [rest];
  const rewritten = isShorter ? rest : q;
  const searched = { store, scope: 'records', count, isAbandoned } as const;
  return (await rewritesWithResults(rewritten, searched)).map(({ text }) => text);
}

function otherQueries(
  links: readonly { readonly text: string; readonly href: string }[],
  { words }: SearchView,
): Html {
  if (links.length === 0) return emptyHtml;
  return html`<p>${words.tryInstead}</p>
    ${linkChips(links)}`;
}

/** Links to the comparison of two regions, and to the search in each of them. */
function pairLinks({ regions, rest }: RegionPair, { words, target, lang }: SearchView): Html {
  const [one, other] = regions;
  const comparison = canonicalUrl(pageContract.region, { code: one.code, with: other.code, lang });
  const searches = regions.map(({ name }) => `${name} ${rest}`.trim());
  return html`<p>
      <a href="${comparison}"><strong>${words.compare}</strong>: ${one.name} · ${other.name}</a>
    </p>
    ${linkChips(searches.map((text) => ({ text, href: target({ q: text, offset: 0 }) })))}`;
}

interface ResultParts {
  readonly query: ParsedQuery;
  readonly records: FoundRecords;
  readonly datasets: DatasetsSection;
  readonly catalog: ResultSection;
  readonly region: QueryRegion | null;
  readonly notice: Html;
}

function layout(q: string, parts: ResultParts, view: SearchView): Html {
  const { words, target, lang } = view;
  const { records, datasets, catalog, region } = parts;
  const { total, totalRelation } = records.result;
  const recordsTotal = formatNumber(total) + (totalRelation === 'gte' ? '+' : '');
  const chips =
    region === null
      ? []
      : [
          {
            text: words.region(region.name),
            removeHref: target({ q: withWords(region.rest, view), offset: 0 }),
          },
        ];
  const choices = region === null ? regionChoices(q) : [];
  // Without a stored dataset, entries of the catalog with all words come first; near ones follow the records.
  const isCatalogFirst = datasets.count === 0 && catalog.count > 0;
  return html`<h1 class="smaller">${words.heading(q)}</h1>
    ${parts.notice} ${filterChips(words.filters, chips, words)}
    ${
      region === null
        ? emptyHtml
        : html`<p>
            <a href="${regionPath(region.code, lang)}">${words.regionPage(region.name)}</a>
          </p>`
    }
    ${
      choices.length === 0
        ? emptyHtml
        : html`<p>${choices.length === 1 ? words.thisRegion : words.whichRegion}</p>
            ${linkChips(
              choices.map(({ name, q: text }) => ({
                text: name,
                href: target({ q: text, offset: 0 }),
              })),
            )}`
    }
    <nav class="contents-line" aria-label="${words.parts}">
      ${datasets.count === 0 ? emptyHtml : tab('datasets', words.datasets, formatNumber(datasets.count))}
      ${tab('records', words.records, recordsTotal)}
      ${catalog.count === 0 ? emptyHtml : tab('catalog', words.catalog, formatNumber(catalog.count))}
    </nav>
    <div class="results">
      <div>
        ${datasets.html} ${isCatalogFirst ? catalog.html : emptyHtml}
        <section aria-labelledby="records">
          <h2 id="records">${words.records} <span class="quiet">${recordsTotal}</span></h2>
          ${recordsRemark(parts, view)} ${recordList(records, region, view)}
        </section>
      </div>
      <div>
        ${recordsByDataset(records, region, datasets.list, view)}
        ${isCatalogFirst ? emptyHtml : catalog.html}
      </div>
    </div>`;
}

/** The meaning of the total of records in a query with a region, and the way to those that have its name as text. */
function recordsRemark({ query, region, records }: ResultParts, view: SearchView): Html {
  const { words, target } = view;
  if (region === null || records.result.total === 0) return emptyHtml;
  if (region.rest === '') return html`<p class="quiet">${words.recordsNamed(region.text)}</p>`;
  if (records.region === null) {
    const terms = query.terms.map(({ text }) => `‘${text}’`).join(', ');
    return html`<p class="quiet">${words.recordsWith(terms, region.name)}</p>`;
  }
  const asText = withWords(`"${region.text}" ${region.rest}`, view);
  return html`<p class="quiet">
    ${words.recordsIn(region.name)}
    <a href="${target({ q: asText, offset: 0 })}" rel="nofollow">${words.withText(region.text)}</a>
  </p>`;
}

function tab(id: string, name: string, count: string): Html {
  return html`<a href="#${id}">${name} <span class="quiet">${count}</span></a>`;
}

/** Datasets that the query names; with a region, only datasets that have records of it. */
async function datasetSection(
  query: ParsedQuery,
  found: SearchResult,
  region: QueryRegion | null,
  view: SearchView,
): Promise<DatasetsSection> {
  const { store, words, language, isAbandoned } = view;
  const { list, remark } = await foundDatasets();
  const count = list.length;
  const noDatasets =
    found.axes.size === 0
      ? words.noDatasets
      : html`${words.noDatasetsBut}
          <a href="#by-dataset">${words.inDatasets(formatNumber(found.axes.size))}</a>`;
  return {
    count,
    list,
    hasCharts: list.some(({ hasChart }) => hasChart),
    hasMaps: list.some(({ hasMap }) => hasMap),
    amounts: list.find(({ amounts }) => amounts !== null)?.amounts ?? null,
    html: html`<section aria-labelledby="datasets">
      <h2 id="datasets">
        ${words.datasets} ${count === 0 ? emptyHtml : html`<span class="quiet">${count}</span>`}
      </h2>
      ${remark}
      ${
        count === 0
          ? html`<p class="quiet">${noDatasets}</p>`
          : datasetList(list.slice(0, datasetsMax), language)
      }
      ${otherDatasets(list.slice(datasetsMax), count - datasetsMax, view)}
    </section>`,
  };

  async function foundDatasets(): Promise<{ list: FoundDataset[]; remark: Html }> {
    if (region !== null) {
      const rest = parseQuery(region.rest);
      if (rest.terms.length === 0) return regionDatasets(region);
      const counts = await store.search({ ...rest, limit: 0, offset: 0 }, isAbandoned);
      const named = await namedDatasets(rest, counts, store, isAbandoned);
      const direct = await datasetsFound(named, rest.terms, region, view);
      const list = [...direct, ...(await datasetsOfCompounds(rest, direct, region, view))];
      if (list.length > 0 || named.length === 0) return { list, remark: emptyHtml };
      const everywhere = await datasetsFound(named, rest.terms, null, view);
      const isEmpty = named.every(({ axis }) => {
        const stored = axis === null ? undefined : store.axes.get(axis);
        return stored === undefined || countIn(stored, region) === 0;
      });
      const reason = isEmpty ? words.noneInRegion(region.name) : words.noneWithWords(region.name);
      const text = everywhere.length === 0 ? '' : reason;
      return { list: everywhere, remark: html`<p class="quiet">${text}</p>` };
    }
    const named = await namedDatasets(query, found, store, isAbandoned);
    const direct = await datasetsFound(named, query.terms, null, view);
    const compounds = await datasetsOfCompounds(query, direct, null, view);
    return { list: [...direct, ...compounds], remark: emptyHtml };
  }

  /** The datasets of a region alone, with the total that its page has. */
  function regionDatasets(place: QueryRegion): { list: FoundDataset[]; remark: Html } {
    const list = datasetsOfRegion(place, view);
    const rows = list.reduce((sum, one) => sum + (one.origin === 'sample' ? 0 : one.count), 0);
    const text = words.datasetsIn(place.name, formatNumber(rows));
    return { list, remark: rows === 0 ? emptyHtml : html`<p class="quiet">${text}</p>` };
  }
}

const datasetsMax = 20;
