import { lookupContract } from '../../contract/lookup.ts';
import { pageContract } from '../../contract/pages.ts';
import type { RouteParameters } from '../../contract/route.ts';
import type { DemandItem } from '../../data/demand.ts';
import { canonicalUrl } from '../../kernel/http/canonical-url.ts';
import type { Document } from '../../kernel/http/result.ts';
import { rankedKeywords } from '../../lookup/endpoints/demand.ts';
import { sampleBadge } from '../components/badge.ts';
import { dataTable } from '../components/data-table.ts';
import { notice } from '../components/notice.ts';
import { trail } from '../components/trail.ts';
import { html, type Html } from '../html.ts';
import { emptyHtml, formatNumber, page } from '../layout.ts';
import type { PageRequest } from '../serve-page.ts';
import { demandTexts } from './demand-texts.ts';
import { titleIn } from './dataset-view.ts';
import { listPager } from './list-pager.ts';
import { datasetPath } from './paths.ts';

type DemandParams = RouteParameters<typeof pageContract.demand>;

interface DemandView extends PageRequest {
  readonly params: DemandParams;
  readonly words: (typeof demandTexts)[PageRequest['language']];
}

/** The page of the search demand: the ranking with the stored data of each keyword, and the keywords without any. */
export function demandPage(params: DemandParams, request: PageRequest): Document {
  const { store, language, absoluteUrl, target } = request;
  const words = demandTexts[language];
  const view: DemandView = { ...request, params, words };
  const { demand } = store;
  return page({
    language,
    title: `${words.title} – ${words.name}`,
    translationUrl: target({ lang: language === 'ko' ? 'en' : 'ko' }),
    canonicalUrl: absoluteUrl('/demand'),
    width: 'wide',
    search: '',
    main: html`
      ${trail(words.trail, [{ text: words.name, href: '/' }], words.title)}
      <h1>${words.title} ${sampleBadge(demand?.origin ?? null, language)}</h1>
      ${demand === null ? notice('note', html`<p>${words.none}</p>`) : ranking(view)}
    `,
  });
}

function ranking(view: DemandView): Html {
  const { store, words, params, target } = view;
  const { offset } = params;
  const { demand } = store;
  if (demand === null) return emptyHtml;
  const list = rankedKeywords(store, params);
  const shown = list.slice(offset, offset + pageSize).map(({ item }) => item);
  const { from, to } = demand.method.period;
  const period = from === null || to === null ? emptyHtml : html`${words.period(from, to)}`;
  return html`<p class="quiet">${words.lead(demand.anchor)} ${period}</p>
    ${demand.origin === 'sample' ? notice('warning', html`<p>${words.sample}</p>`) : emptyHtml}
    ${partLinks(view)}
    ${
      list.length === 0
        ? html`<p>${words.empty}</p>`
        : shown.length === 0
          ? emptyHtml
          : keywordTable(shown, view)
    }
    ${listPager({ offset, pageSize, total: list.length }, { ...view, target })}
    <p class="links">
      <a href="${canonicalUrl(lookupContract.demand, { held: params.held, gap: params.gap })}"
        >${words.json}</a
      >
    </p>`;
}

const pageSize = 50;

/** Links to the whole ranking and its two parts, with their sizes. */
function partLinks({ store, words, params, target }: DemandView): Html {
  const parts = [
    { name: words.all, values: {}, isShown: params.held === undefined && params.gap === undefined },
    { name: words.held, values: { held: '1' }, isShown: params.held === '1' },
    { name: words.gap, values: { gap: '1' }, isShown: params.gap === '1' },
  ] as const;
  return html`<nav class="contents-line" aria-label="${words.parts}">
    ${parts.map(({ name, values, isShown }) => {
      const size = formatNumber(rankedKeywords(store, values).length);
      const href = target({ held: undefined, gap: undefined, offset: 0, ...values });
      return isShown
        ? html`<strong aria-current="true">${name} ${size}</strong>`
        : html`<a href="${href}">${name} <span class="quiet">${size}</span></a>`;
    })}
  </nav>`;
}

function keywordTable(items: readonly DemandItem[], view: DemandView): Html {
  const { words, params } = view;
  const hasData = params.gap === undefined;
  return dataTable({
    caption: words.title,
    columns: [
      { heading: html`${words.keyword}` },
      { heading: html`${words.rank}`, isNumeric: true },
      { heading: html`${words.index}`, isNumeric: true },
      ...(hasData ? [{ heading: html`${words.data}` }] : []),
      { heading: html`${words.catalog}`, isNumeric: true },
    ],
    rows: items.map((item) => keywordCells(item, view)),
  });
}

function keywordCells(item: DemandItem, { words, params, store, language }: DemandView): Html[] {
  const { keyword, rank, index, axes, catalogTotal } = item;
  const { lang } = params;
  // A bus stop with the name of a pharmacy is not about pharmacies.
  const about = axes.filter(({ match }) => match !== 'name');
  const [first] = about.length > 0 ? about : axes;
  const more =
    about.length > 1 ? html`<span class="quiet">${words.more(about.length - 1)}</span>` : '';
  const stored = first === undefined ? undefined : store.axes.get(first.axis);
  const title = stored === undefined ? first?.title : titleIn(stored, language);
  const data =
    first === undefined
      ? html`<span class="quiet">${words.notHeld}</span>`
      : about.length === 0
        ? html`<span class="quiet">${words.inNames}</span>`
        : html`${sampleBadge(stored?.axis.origin ?? null, language)}
            <a href="${datasetPath(first.axis, lang)}">${title}</a> ${more}`;
  return [
    html`<a href="${canonicalUrl(pageContract.search, { q: keyword, lang })}">${keyword}</a>`,
    html`${formatNumber(rank)}`,
    html`${index === null ? words.below : formatNumber(index)}`,
    ...(params.gap === undefined ? [data] : []),
    catalogTotal === 0
      ? html`0`
      : html`<a href="${canonicalUrl(pageContract.catalog, { q: keyword, lang })}"
          >${formatNumber(catalogTotal)}</a
        >`,
  ];
}
