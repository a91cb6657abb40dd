import { pageContract } from '../../contract/pages.ts';
import type { RouteParameters } from '../../contract/route.ts';
import type { CatalogEntry } from '../../data/catalog.ts';
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
import { catalogEntries } from './catalog-entries.ts';
import { datasetIndex } from './dataset-index.ts';
import { regionPath } from './paths.ts';
import { regionChoices, regionInQuery, type QueryRegion } from './query-region.ts';
import { datasetsFound, datasetsOfRegion, type FoundDataset } from './search-datasets.ts';
import { pageSize, recordList, recordsByDataset } from './search-records.ts';
import { searchTexts } from './search-texts.ts';
import type { SearchView } from './search-view.ts';
import { suggesting } from '../components/suggesting.ts';

type SearchParams = RouteParameters<typeof pageContract.search>;

/** The search page: datasets, then records by dataset, and the portal's catalog beside; without a query, all datasets. */
export async function searchPage(params: SearchParams, request: PageRequest): Promise<Document> {
  const { language } = request;
  const words = searchTexts[language];
  const { q = '', offset, lang } = params;
  const view: SearchView = { ...request, words, lang, offset };
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
  const { store, words, isAbandoned, offset, target } = view;
  const region = regionInQuery(typed);
  const query = parseQuery(typed);
  const found = await store.search({ ...query, limit: pageSize, offset }, isAbandoned);
  const datasets = await datasetSection(query, found, region, view);
  const catalog = await catalogSection(query, view);
  const isEmpty = found.total === 0 && datasets.count === 0;
  if (!isEmpty) {
    return layout(typed, { query, found, datasets, catalog, region, notice: emptyHtml }, view);
  }
  const count = async (one: ParsedQuery): Promise<number> =>
    (await store.search({ ...one, limit: 0, offset: 0 }, isAbandoned)).total;
  const rewrites = await rewritesWithResults(typed, {
    store,
    scope: 'records',
    count,
    isAbandoned,
  });
  const others = rewrites.map(({ text }) => ({ text, href: target({ q: text, offset: 0 }) }));
  const [first] = rewrites;
  if (first === undefined || !mayRewrite) {
    const none = html`<p role="status">${words.none(typed)} ${words.noneHelp}</p>
      ${
        others.length === 0
          ? emptyHtml
          : html`<p>${words.tryInstead}</p>
              ${linkChips(others)}`
      }`;
    return html`<h1>${words.heading(typed)}</h1>
      ${notice('note', none)} ${catalog.html}`;
  }
  const readAs = html`<p role="status">
      ${words.readAs(typed, first.text)}
      <a href="${target({ rewrite: '0' })}" rel="nofollow">${words.asTyped(typed)}</a>
    </p>
    ${
      others.length < 2
        ? emptyHtml
        : html`<p>${words.tryInstead}</p>
            ${linkChips(others.slice(1))}`
    }`;
  const read = parseQuery(first.text);
  const instead = { ...view, target: (changes = {}) => target({ q: first.text, ...changes }) };
  const foundInstead = await store.search({ ...read, limit: pageSize, offset }, isAbandoned);
  const regionInstead = regionInQuery(first.text);
  const parts: ResultParts = {
    query: read,
    found: foundInstead,
    datasets: await datasetSection(read, foundInstead, regionInstead, instead),
    catalog: await catalogSection(read, instead),
    region: regionInstead,
    notice: notice('note', readAs),
  };
  return layout(first.text, parts, instead);
}

interface ResultParts {
  readonly query: ParsedQuery;
  readonly found: SearchResult;
  readonly datasets: Counted;
  readonly catalog: Counted;
  readonly region: QueryRegion | null;
  readonly notice: Html;
}

/** A part of a result with the number of its items. */
interface Counted {
  readonly html: Html;
  readonly count: number;
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
        ${datasets.html}
        <section aria-labelledby="records">
          <h2 id="records">${words.records} <span class="quiet">${records}</span></h2>
          ${recordList(found, query, view)}
        </section>
      </div>
      <div>${recordsByDataset(found, query, view)} ${catalog.html}</div>
    </div>`;
}

function tab(id: string, name: string, count: string): Html {
  return html`<a href="#${id}">${name} <span class="quiet">${count}</span></a>`;
}

/** Datasets that the query names; with a region, those that have records of it. */
async function datasetSection(
  query: ParsedQuery,
  found: SearchResult,
  region: QueryRegion | null,
  view: SearchView,
): Promise<Counted> {
  const { store, words, language, isAbandoned } = view;
  const { list, remark } = await foundDatasets();
  const count = list.length;
  return {
    count,
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

/** Entries of the portal's catalog, stored here or not. */
async function catalogSection(query: ParsedQuery, view: SearchView): Promise<Counted> {
  const { store, words, lang, isAbandoned } = view;
  const { terms, text } = query;
  const found = await store.catalogSearch(
    { terms, text, offset: 0, limit: entriesMax },
    isAbandoned,
  );
  if (found.total === 0) return { html: emptyHtml, count: 0 };
  // A store's record is the JSON of an entry.
  const entries = found.hits.map(({ record }) => JSON.parse(record.toString()) as CatalogEntry);
  return {
    count: found.total,
    html: html`<section aria-labelledby="catalog">
      <h2 id="catalog">${words.catalog} <span class="quiet">${formatNumber(found.total)}</span></h2>
      ${store.catalog.origin === 'sample' ? html`<p class="quiet">${words.sampleCatalog}</p>` : emptyHtml}
      ${catalogEntries(entries, view)}
      ${
        found.total > entries.length
          ? html`<p>
              <a href="${canonicalUrl(pageContract.catalog, { q: text, lang })}"
                >${words.catalogMore(formatNumber(found.total))}</a
              >
            </p>`
          : emptyHtml
      }
    </section>`,
  };
}

const entriesMax = 8;
