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
import { datasetIndex } from './dataset-index.ts';
import { regionPath } from './paths.ts';
import { regionChoices, regionInQuery, type QueryRegion } from './query-region.ts';
import { regionPairInQuery, type RegionPair } from './region-pair.ts';
import { catalogSection } from './search-catalog.ts';
import { datasetsFound, datasetsOfRegion, type FoundDataset } from './search-datasets.ts';
import { intentOf } from './search-intent.ts';
import { pageSize, recordList, recordsByDataset } from './search-records.ts';
import { searchTexts } from './search-texts.ts';
import type { ResultSection, SearchView } from './search-view.ts';
import { suggesting } from '../components/suggesting.ts';

type SearchParams = RouteParameters<typeof pageContract.search>;

/** The search page: datasets, then records by dataset, and the portal's catalog beside; without a query, all datasets. */
export async function searchPage(params: SearchParams, request: PageRequest): Promise<Document> {
  const { language } = request;
  const words = searchTexts[language];
  const { q = '', offset, lang } = params;
  const view: SearchView = { ...request, words, lang, offset, intent: intentOf(q) };
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
  const { words, target } = view;
  const parts = await resultParts(typed, view);
  const catalog = await catalogSection(parts.query, view);
  const pair = regionPairInQuery(typed);
  if (hasResults(parts, view)) {
    const compared = pair === null ? emptyHtml : notice('note', pairLinks(pair, view));
    return layout(typed, { ...parts, catalog, notice: compared }, view);
  }
  if (pair !== null) {
    const beside = pair.rest === '' ? catalog : await catalogSection(parseQuery(pair.rest), view);
    return html`<h1>${words.heading(typed)}</h1>
      ${notice('note', pairLinks(pair, view))} ${beside.html}`;
  }
  const missing =
    catalog.count === 0 ? words.none(typed) : words.inCatalog(typed, formatNumber(catalog.count));
  const readings = await otherReadings(typed, view);
  const others = readings.map((text) => ({ text, href: target({ q: text, offset: 0 }) }));
  const [first] = readings;
  if (first === undefined || !mayRewrite) {
    const none = html`<p role="status">${missing} ${catalog.count === 0 ? words.noneHelp : ''}</p>
      ${otherQueries(others, view)}`;
    return html`<h1>${words.heading(typed)}</h1>
      ${notice('note', none)} ${catalog.html}`;
  }
  const instead = { ...view, target: (changes = {}) => target({ q: first, ...changes }) };
  const read = await resultParts(first, instead);
  const reason =
    viewReason(first, read.datasets, view) ??
    (catalog.count > 0 ? `${missing} ${words.readInstead(first)}` : words.readAs(typed, first));
  const readAs = html`<p role="status">
      ${reason} <a href="${target({ rewrite: '0' })}" rel="nofollow">${words.asTyped(typed)}</a>
    </p>
    ${otherQueries(others.slice(1), view)}`;
  const beside = catalog.count > 0 ? catalog : await catalogSection(read.query, instead);
  return layout(first, { ...read, catalog: beside, notice: notice('note', readAs) }, instead);
}

/** The view of data that a query wants (월별, 내 주변), and whether its datasets have it; null if it wants none. */
function viewReason(
  read: string,
  { count, hasCharts, hasMaps }: DatasetsSection,
  { words, intent: { grouping, isNear } }: SearchView,
): string | null {
  if (count === 0) return null;
  if (grouping !== null)
    return hasCharts ? words.grouped(grouping.word, read) : words.notGrouped(grouping.word, read);
  if (!isNear) return null;
  return hasMaps ? words.mapped(read) : words.notMapped(read);
}

/** Region, records and datasets of a query. */
async function resultParts(q: string, view: SearchView) {
  const { store, isAbandoned, offset } = view;
  const query = parseQuery(q);
  const region = regionInQuery(q);
  const found = await store.search({ ...query, limit: pageSize, offset }, isAbandoned);
  return { query, region, found, datasets: await datasetSection(query, found, region, view) };
}

/** True if a query has results. Words for a view of data (월별, 내 주변) are none of the words of a dataset. */
function hasResults(
  { found, datasets }: Awaited<ReturnType<typeof resultParts>>,
  { intent: { grouping, isNear } }: SearchView,
): boolean {
  const isForView = grouping !== null || isNear;
  return found.total > 0 || (datasets.count > 0 && !isForView);
}

/** Queries with results for one without: without the word of a grouping, else rewrites. */
async function otherReadings(
  typed: string,
  { store, isAbandoned, intent: { rest } }: SearchView,
): Promise<string[]> {
  const count = async (query: ParsedQuery): Promise<number> =>
    (await store.search({ ...query, limit: 0, offset: 0 }, isAbandoned)).total;
  const query = parseQuery(rest);
  const isShorter = rest !== typed && query.terms.length > 0;
  if (isShorter && (await count(query)) > 0) return [rest];
  const rewritten = isShorter ? rest : typed;
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
  readonly found: SearchResult;
  readonly datasets: ResultSection;
  readonly catalog: ResultSection;
  readonly region: QueryRegion | null;
  readonly notice: Html;
}

function layout(q: string, parts: ResultParts, view: SearchView): Html {
  const { words, target, lang } = view;
  const { query, found, datasets, catalog, region } = parts;
  const records = formatNumber(found.total) + (found.totalRelation === 'gte' ? '+' : '');
  const chips =
    region === null
      ? []
      : [{ text: words.region(region.name), removeHref: target({ q: region.rest, offset: 0 }) }];
  const choices = region === null ? regionChoices(q) : [];
  // Without a stored dataset, those of the portal are nearer to it than single records.
  const isCatalogFirst = datasets.count === 0;
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
        : html`<p>${words.whichRegion}</p>
            ${linkChips(
              choices.map(({ name, q: text }) => ({
                text: name,
                href: target({ q: text, offset: 0 }),
              })),
            )}`
    }
    <nav class="contents-line" aria-label="${words.parts}">
      ${tab('datasets', words.datasets, formatNumber(datasets.count))}
      ${tab('records', words.records, records)}
      ${catalog.count === 0 ? emptyHtml : tab('catalog', words.catalog, formatNumber(catalog.count))}
    </nav>
    <div class="results">
      <div>
        ${datasets.html} ${isCatalogFirst ? catalog.html : emptyHtml}
        <section aria-labelledby="records">
          <h2 id="records">${words.records} <span class="quiet">${records}</span></h2>
          ${recordList(found, query, view)}
        </section>
      </div>
      <div>
        ${recordsByDataset(found, query, region, view)} ${isCatalogFirst ? emptyHtml : catalog.html}
      </div>
    </div>`;
}

function tab(id: string, name: string, count: string): Html {
  return html`<a href="#${id}">${name} <span class="quiet">${count}</span></a>`;
}

interface DatasetsSection extends ResultSection {
  /** True if a dataset has a chart in the grouping of the query. */
  readonly hasCharts: boolean;
  readonly hasMaps: boolean;
}

/** Datasets that the query names; with a region, those that have records of it. */
async function datasetSection(
  query: ParsedQuery,
  found: SearchResult,
  region: QueryRegion | null,
  view: SearchView,
): Promise<DatasetsSection> {
  const { store, words, language, isAbandoned } = view;
  const { list, remark } = await foundDatasets();
  const count = list.length;
  return {
    count,
    hasCharts: list.some(({ hasChart }) => hasChart),
    hasMaps: list.some(({ hasMap }) => hasMap),
    html: html`<section aria-labelledby="datasets">
      <h2 id="datasets">${words.datasets} <span class="quiet">${count}</span></h2>
      ${remark}
      ${
        count === 0
          ? html`<p class="quiet">${words.noDatasets}</p>`
          : datasetList(list.slice(0, datasetsMax), language)
      }
    </section>`,
  };

  async function foundDatasets(): Promise<{ list: FoundDataset[]; remark: Html }> {
    if (region !== null) {
      const rest = parseQuery(region.rest);
      if (rest.terms.length === 0)
        return { list: datasetsOfRegion(region, view), remark: emptyHtml };
      const counts = await store.search({ ...rest, limit: 0, offset: 0 }, isAbandoned);
      const named = await namedDatasets(rest, counts, store, isAbandoned);
      const list = await datasetsFound(named, rest.terms, region, view);
      if (list.length > 0 || named.length === 0) return { list, remark: emptyHtml };
      const everywhere = await datasetsFound(named, rest.terms, null, view);
      const text = everywhere.length === 0 ? '' : words.noneInRegion(region.name);
      return { list: everywhere, remark: html`<p class="quiet">${text}</p>` };
    }
    const named = await namedDatasets(query, found, store, isAbandoned);
    return { list: await datasetsFound(named, query.terms, null, view), remark: emptyHtml };
  }
}

const datasetsMax = 20;
