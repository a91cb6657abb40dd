import { datasetTopics, pageContract } from '../../contract/pages.ts';
import type { Language } from '../../contract/language.ts';
import { regionsOn } from '../../data/regions/region-table.ts';
import { isCodeTable } from '../../data/code-table.ts';
import { canonicalUrl } from '../../kernel/http/canonical-url.ts';
import type { Document } from '../../kernel/http/result.ts';
import { todayInSeoul } from '../../data/freshness.ts';
import type { LookupStore } from '../../lookup/store/store.ts';
import type { StoredAxis } from '../../data/axis.ts';
import { sampleBadge } from '../components/badge.ts';
import { cartogram } from '../components/cartogram.ts';
import { linkChips } from '../components/chips.ts';
import { datasetList } from '../components/dataset-list.ts';
import { notice } from '../components/notice.ts';
import { html, type Html } from '../html.ts';
import { emptyHtml, formatNumber, page, searchForm } from '../layout.ts';
import { datasetLine, orderedDatasets } from './dataset-index.ts';
import { regionPath } from './paths.ts';
import { searchTexts } from './search-texts.ts';
import { suggesting } from '../components/suggesting.ts';
import { homeTexts } from './texts.ts';
import { isUnder, topics } from './topics.ts';

interface HomeView {
  /** Null before the first snapshot. */
  readonly store: LookupStore | null;
  readonly language: Language;
  readonly canonicalUrl: string | undefined;
}

/** The front page: a search, and ways in by topic, region, age, size and demand. Sample data stands apart. */
export function homePage({ store, language, canonicalUrl }: HomeView): Document {
  const words = homeTexts[language];
  return page({
    language,
    title: words.title,
    translationUrl: `/?lang=${language === 'ko' ? 'en' : 'ko'}`,
    canonicalUrl,
    width: 'wide',
    head: html` <link
      rel="alternate"
      type="application/ld+json"
      title="DCAT"
      href="/catalog.jsonld"
    />`,
    main: html`
      <h1>${words.heading}</h1>
      <p class="quiet">${leadOf(store, language)}</p>
      ${suggesting(searchForm('/search', 'search', language, '', words), language)}
      ${store === null ? html`<p role="status">${words.preparing}</p>` : entrances(store, language)}
    `,
  });
}

/** Datasets that the front page counts: the real ones, or the sample ones while there are no others. */
function countedAxes({ axes }: LookupStore): StoredAxis[] {
  const all = [...axes.values()];
  const real = all.filter(({ axis }) => axis.origin !== 'sample');
  return real.length > 0 ? real : all;
}

function leadOf(store: LookupStore | null, language: Language): Html {
  const words = homeTexts[language];
  const counted = store === null ? [] : countedAxes(store);
  if (counted.length === 0) return html`${words.leadEmpty}`;
  const rows = counted.reduce((sum, axis) => sum + axis.rows, 0);
  return html`${words.lead(formatNumber(counted.length), formatNumber(rows))}
  ${countMark(counted, language)}`;
}

/** The mark of counts of sample data. */
function countMark([first]: readonly StoredAxis[], language: Language): Html {
  return sampleBadge(first?.axis.origin ?? null, language);
}

function entrances(store: LookupStore, language: Language): Html {
  const words = homeTexts[language];
  const counted = countedAxes(store);
  const hasReal = counted.some(({ axis }) => axis.origin !== 'sample');
  // Invented searches stand among the sample data, unless there is nothing else.
  const isInvented = hasReal && store.demand?.origin === 'sample';
  return html`${isInvented ? emptyHtml : demandSection(store, language)}
    <div class="halves">${topicSection(counted, language)} ${regionSection(counted, language)}</div>
    ${
      hasReal
        ? html`<div class="halves">
            ${listSection('newest', counted, language)} ${listSection('largest', counted, language)}
          </div>`
        : notice('note', html`<p>${words.onlySample}</p>`)
    }
    <p><a href="${searchUrl({ lang: language })}">${words.all}</a></p>
    ${isInvented ? demandSection(store, language) : emptyHtml} ${sampleSection(store, language)}`;
}

function searchUrl(values: Readonly<Record<string, string>>): string {
  return canonicalUrl(pageContract.search, values);
}

function topicSection(axes: readonly StoredAxis[], language: Language): Html {
  const words = homeTexts[language];
  const counted = datasetTopics.map((topic) => ({
    topic,
    count: axes.filter((stored) => isUnder(stored, topic)).length,
  }));
  return html`<section aria-labelledby="topics">
    <h2 id="topics">${words.topics} ${countMark(axes, language)}</h2>
    <ul class="topics">
      ${counted
        .filter(({ count }) => count > 0)
        .map(
          ({ topic, count }) =>
            html`<li>
              <a href="${searchUrl({ topic, lang: language })}"
                >${topics[topic].name[language]}
                <span class="quiet">${words.count(formatNumber(count))}</span></a
              >
            </li>`,
        )}
    </ul>
  </section>`;
}

function regionSection(axes: readonly StoredAxis[], language: Language): Html {
  const words = homeTexts[language];
  const tiles = regionsOn(todayInSeoul())
    .filter(({ level }) => level === 'sido')
    .map((region) => {
      // As on the page of the region, lists of codes do not count.
      const covering = axes.filter(
        (stored) => !isCodeTable(stored) && stored.regions.some(({ code }) => code === region.code),
      );
      return {
        region,
        href: regionPath(region.code, language),
        text: words.count(formatNumber(covering.length)),
      };
    });
  return html`<section aria-labelledby="regions">
    <h2 id="regions">${words.regions} ${countMark(axes, language)}</h2>
    <p class="quiet">${words.regionsHint}</p>
    ${cartogram(words.regions, tiles)}
  </section>`;
}

function listSection(
  order: 'newest' | 'largest',
  axes: readonly StoredAxis[],
  language: Language,
): Html {
  const words = homeTexts[language];
  return html`<section aria-labelledby="${order}">
    <h2 id="${order}">${words[order]}</h2>
    ${datasetLines(orderedDatasets(axes, order).slice(0, listedMax), language)}
  </section>`;
}

const listedMax = 8;

function datasetLines(axes: readonly StoredAxis[], language: Language): Html {
  const view = { words: searchTexts[language], language, lang: language };
  return datasetList(
    axes.map((stored) => datasetLine(stored, view)),
    language,
  );
}

/** The most frequent searches, marked where their ranking is a sample. */
function demandSection({ demand }: LookupStore, language: Language): Html {
  if (demand === null || demand.items.length === 0) return emptyHtml;
  const words = homeTexts[language];
  const links = demand.items.slice(0, soughtMax).map(({ keyword }) => ({
    text: keyword,
    href: searchUrl({ q: keyword, lang: language }),
  }));
  return html`<section class="sought" aria-labelledby="sought">
    <h2 id="sought">${words.sought} ${sampleBadge(demand.origin, language)}</h2>
    ${demand.origin === 'sample' ? html`<p class="quiet">${words.soughtSample}</p>` : emptyHtml}
    ${linkChips(links)}
    <p>
      <a href="${canonicalUrl(pageContract.demand, { lang: language })}">${words.demand}</a>
    </p>
  </section>`;
}

const soughtMax = 14;

function sampleSection({ axes }: LookupStore, language: Language): Html {
  const words = homeTexts[language];
  const samples = [...axes.values()].filter(({ axis }) => axis.origin === 'sample');
  if (samples.length === 0) return emptyHtml;
  return html`<section class="sample-data" aria-labelledby="sample">
    <h2 id="sample">${words.sample(formatNumber(samples.length))}</h2>
    <p class="quiet">${words.sampleLead}</p>
    ${datasetLines(orderedDatasets(samples, 'largest').slice(0, samplesMax), language)}
  </section>`;
}

const samplesMax = 12;
