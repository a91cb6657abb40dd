import { parameterText } from '../../data/korean/normalise.ts';
import type { Language } from '../../contract/language.ts';
import type { Document } from '../../kernel/http/result.ts';
import { textLengthMax } from '../../contract/route.ts';
import { perStore } from '../../lookup/per-store.ts';
import type { StoredAxis } from '../../data/axis.ts';
import type { LookupStore } from '../../lookup/store/store.ts';
import type { IsAbandoned } from '../../lookup/store/sliced-work.ts';
import { formatNumber, emptyHtml, page, searchForm } from '../layout.ts';
import { searchResults } from './results.ts';
import { suggesting, suggestScript } from './suggesting.ts';
import { homeTexts } from './texts.ts';
import { html, type Html } from '../html.ts';

interface HomeView {
  /** Null before the first snapshot. */
  readonly store: LookupStore | null;
  readonly language: Language;
  /** The typed search; empty for none. */
  readonly q: string;
  readonly offset: number;
  readonly isAbandoned: IsAbandoned;
}

/** The front page: an introduction, a search over all data, and the stored datasets. */
export async function homePage(view: HomeView): Promise<Document> {
  const { store, language, q, ...rest } = view;
  const words = homeTexts[language];
  const query = parameterText(q).slice(0, textLengthMax).toWellFormed();
  const isSearch = query !== '' && store !== null;
  const results = isSearch
    ? await searchResults({ store, language, q: query, ...rest })
    : emptyHtml;
  const suffix = query === '' ? '' : `&q=${encodeURIComponent(query)}`;
  return page({
    language,
    title: query === '' ? words.title : `${query} – ${words.title}`,
    translationUrl: `/?lang=${language === 'ko' ? 'en' : 'ko'}${suffix}`,
    head: suggestScript,
    main: html`
      <h1>${words.heading}</h1>
      <p class="quiet">${words.lead}</p>
      ${suggesting(searchForm('/', 'search', language, query, words), language)} ${results}
      ${store === null ? html`<p role="status">${words.preparing}</p>` : belowSearch(store, language, isSearch)}
    `,
  });
}

/** Sections below the search. A page of results has no list of datasets, which may have hundreds of cards. */
function belowSearch(store: LookupStore, language: Language, isSearch: boolean): Html {
  const datasets = isSearch ? emptyHtml : datasetsOf(store)(language);
  return html`${popularSearches(store, language)} ${regionForm(language)} ${datasets}`;
}

/** Renders the datasets once per snapshot and language. */
const datasetsOf = perStore((store) => {
  const rendered = new Map<Language, Html>();
  return (language: Language): Html => {
    let section = rendered.get(language);
    if (section === undefined) rendered.set(language, (section = datasetSection(store, language)));
    return section;
  };
});

function datasetSection(store: LookupStore, language: Language): Html {
  const words = homeTexts[language];
  // The largest datasets are listed first.
  const axes = [...store.axes.values()].sort((a, b) => b.rows - a.rows);
  const rows = axes.reduce((sum, axis) => sum + axis.rows, 0);
  return html`
    <section aria-labelledby="held">
      <h2 id="held">${words.held}</h2>
      <p class="quiet">${words.heldCounts(formatNumber(axes.length), formatNumber(rows))}</p>
      <ul class="cards axes">
        ${axes.map((axis) => axisCard(axis, language))}
      </ul>
    </section>
  `;
}

function axisCard({ axis, rows, fields }: StoredAxis, language: Language): Html {
  const words = homeTexts[language];
  const title = language === 'en' && axis.titleEn !== null ? axis.titleEn : axis.title;
  const code = encodeURIComponent(axis.code);
  return html`<li>
    <h3>${title} <span class="badge ${axis.origin}">${words.origins[axis.origin]}</span></h3>
    <p class="quiet">
      ${axis.provider === null ? emptyHtml : html`${axis.provider.name} · `}${words.size(
        formatNumber(rows),
        formatNumber(fields.length),
      )}
    </p>
    <p class="links">
      <a href="/api/data/axis?axis=${code}" aria-label="${title}: ${words.rows}">${words.rows}</a>
      <a href="/api/data/fields?axis=${code}" aria-label="${title}: ${words.fields}"
        >${words.fields}</a
      >
      <a href="/api/export/${code}.csv" aria-label="${title}: CSV">CSV</a>
      <code>${axis.code}</code>
    </p>
  </li>`;
}

/** Links to the most frequent searches. */
function popularSearches({ demand }: LookupStore, language: Language): Html {
  if (demand === null || demand.items.length === 0) return emptyHtml;
  const words = homeTexts[language];
  return html`<section aria-labelledby="wanted">
    <h2 id="wanted">${words.wanted}</h2>
    <ul class="chips">
      ${demand.items.slice(0, wantedMax).map(
        ({ keyword }) =>
          html`<li>
            <a href="/?lang=${language}&amp;q=${encodeURIComponent(keyword)}">${keyword}</a>
          </li>`,
      )}
    </ul>
    <p><a href="/api/demand?held=1">${words.demand}</a></p>
  </section>`;
}

const wantedMax = 20;

function regionForm(language: Language): Html {
  const words = homeTexts[language];
  return html`<section aria-labelledby="around">
    <h2 id="around">${words.region}</h2>
    <p>${words.regionHint}</p>
    <form class="search" action="/api/region" method="get">
      <input name="sido" required aria-label="${words.sido}" placeholder="${words.sidoExample}" />
      <input name="sigungu" aria-label="${words.sigungu}" placeholder="${words.sigunguExample}" />
      <button>${words.show}</button>
    </form>
  </section>`;
}
