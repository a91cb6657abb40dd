import { setImmediate as nextTurn } from 'node:timers/promises';
import { pageContract } from '../contract/pages.ts';
import type { StoredAxis } from '../data/axis.ts';
import type { LookupStore } from '../lookup/store/store.ts';
import { datasetPage } from './explorer/dataset.ts';
import { homePage } from './explorer/home.ts';
import { regionPage } from './explorer/region.ts';
import { searchPage } from './explorer/search.ts';
import { renderPage, type PageRequest } from './serve-page.ts';

/**
 * Renders one page of each kind, so that the first reader does not wait for code that has never run and for files that
 * are not open yet. Requests are served between two pages.
 */
export async function visitPages(store: LookupStore): Promise<void> {
  const request = {
    store,
    language: 'ko',
    absoluteUrl: () => undefined,
    baseUrl: '',
    isAbandoned: () => false,
    isMarkdown: false,
  } satisfies Partial<PageRequest>;
  homePage({ store, language: 'ko', canonicalUrl: undefined });
  const axis = visitedAxis(store);
  if (axis === null) return;
  const path = `/data/${axis.axis.code}`;
  const name = axis.axis.title.slice(0, nameLengthMax);
  const visits = [
    ...[name, ...searchExamples].map(
      (q) => () =>
        renderPage(
          pageContract.search,
          { path: '/search', query: queryOf({ q }) },
          searchPage,
          request,
        ),
    ),
    ...datasetViews.map(
      (view) => () =>
        renderPage(pageContract.dataset, { path, query: queryOf(view) }, datasetPage, request),
    ),
    ...['', queryOf({ with: '11110' })].map(
      (query) => () =>
        renderPage(pageContract.region, { path: '/region/11680', query }, regionPage, request),
    ),
  ];
  for (const visit of visits) {
    await nextTurn();
    await visit();
  }
}

/** The views of a dataset, and a chart whose map has every district of the country. */
const datasetViews: readonly Readonly<Record<string, string>>[] = [
  { view: 'table' },
  { view: 'map' },
  { view: 'chart' },
  { view: 'chart', by: '_sigungu' },
];

const nameLengthMax = 20;

/** The examples of the search box: a topic in a region, a topic of many records and of the catalog, and a name. */
const searchExamples = ['강남구 주차장', '도서관', '설날'];

function queryOf(parameters: Readonly<Record<string, string>>): string {
  return new URLSearchParams(parameters).toString();
}

/** The largest dataset with coordinates, else the largest, that is quick to read. */
function visitedAxis({ axes }: LookupStore): StoredAxis | null {
  const small = [...axes.values()].filter(({ rows }) => rows <= rowsMax);
  const [first] = small.sort(
    (a, b) => Number(b.hasCoordinates) - Number(a.hasCoordinates) || b.rows - a.rows,
  );
  return first ?? null;
}

const rowsMax = 20_000;
