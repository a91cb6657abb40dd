import { lookupContract } from '../../contract/lookup.ts';
import { pageContract } from '../../contract/pages.ts';
import type { RouteParameters } from '../../contract/route.ts';
import { isCodeTable } from '../../data/code-table.ts';
import { parseQuery } from '../../data/korean/terms.ts';
import { currentSuccessors, isMergedSido } from '../../data/regions/coverage.ts';
import type { RegionMatch } from '../../data/regions/find-region.ts';
import {
  currentChildren,
  fullName,
  regionByCode,
  regionsOn,
  type Region,
} from '../../data/regions/region-table.ts';
import { formerNamesOfSido } from '../../data/regions/sido-names.ts';
import { canonicalUrl } from '../../kernel/http/canonical-url.ts';
import type { Document } from '../../kernel/http/result.ts';
import { noticesOf, overlapsOf } from '../../lookup/endpoints/region.ts';
import { todayInSeoul } from '../../data/freshness.ts';
import { perStore } from '../../lookup/per-store.ts';
import { linkChips } from '../components/chips.ts';
import { datasetList } from '../components/dataset-list.ts';
import { notice } from '../components/notice.ts';
import { panel } from '../components/panel.ts';
import { trail } from '../components/trail.ts';
import { html, type Html } from '../html.ts';
import { emptyHtml, formatNumber, page } from '../layout.ts';
import type { PageRequest } from '../serve-page.ts';
import { comparedRegion, regionToCompare, shortNames } from './compared-regions.ts';
import { compareTexts } from './compare-texts.ts';
import { datasetTexts } from './dataset-texts.ts';
import { titleIn } from './dataset-view.ts';
import { listPager } from './list-pager.ts';
import { requireRegion } from './missing.ts';
import { regionPath } from './paths.ts';
import { namedRegion } from './query-region.ts';
import { compareForm, comparisonSections, regionNames } from './region-comparison.ts';
import { neighboursOf, regionOutline } from './region-place.ts';
import { regionHistory, type RegionChange } from './region-history.ts';
import { regionTexts } from './region-texts.ts';

type RegionParams = RouteParameters<typeof pageContract.region>;

interface RegionView extends PageRequest {
  readonly params: RegionParams;
  readonly words: (typeof regionTexts)[PageRequest['language']];
  readonly match: RegionMatch;
  readonly region: Region;
  /** Parameters of pages and of the API that select the region. */
  readonly place: ReturnType<typeof namedRegion>['place'];
}

/** The page of a region: its records by dataset, the regions below and beside it, and its former names. */
export async function regionPage(params: RegionParams, request: PageRequest): Promise<Document> {
  const { language, absoluteUrl } = request;
  const match = requireRegion(params.code);
  const region = match.former ?? match.sigungu ?? match.sido;
  const words = regionTexts[language];
  const own = comparedRegion(match);
  const { place, name } = own;
  const view: RegionView = { ...request, params, words, match, region, place };
  const other = params.with === undefined ? null : regionToCompare(params.with, own);
  const isCompared = other !== null && other.code !== own.code;
  const title = isCompared
    ? compareTexts[language].title(...shortNames([own, other]))
    : words.title(name);
  const { sido } = match;
  const home = { text: words.name, href: '/' };
  const above = region.level === 'sido' ? [home] : [home, linkTo(sido, sido.name, view)];
  return page({
    language,
    title: `${title} – ${words.name}`,
    translationUrl: request.target({ lang: language === 'ko' ? 'en' : 'ko' }),
    canonicalUrl: absoluteUrl(regionPath(region.code)),
    width: 'wide',
    search: '',
    head: html`<link rel="stylesheet" href="/assets/map.css" />`,
    main: html`
      ${trail(words.trail, above, region.name)}
      <h1>${title}</h1>
      ${
        isCompared
          ? await comparisonSections({ ...request, compared: [own, other], lang: params.lang })
          : html`${other === null ? emptyHtml : notice('note', html`<p>${compareTexts[language].same}</p>`)}
            ${await datasetSections(view)}`
      }
    `,
  });
}

/** Datasets with records of the region, each with a link to these, and other regions. Sample data comes last. */
async function datasetSections(view: RegionView): Promise<Html> {
  const { store, match, place, words, params, language } = view;
  const all = overlapsOf(store, match, place);
  const isSample = ({ origin }: (typeof all)[number]): boolean => origin === 'sample';
  const isCodes = ({ axis }: (typeof all)[number]): boolean => isCodeTable(store.axes.get(axis)!);
  const real = all.filter((one) => !isSample(one) && !isCodes(one));
  const codes = all.filter((one) => !isSample(one) && isCodes(one));
  const rows = real.reduce((sum, one) => sum + one.rows, 0);
  const ordered = [...real, ...all.filter(isSample)];
  const shown = ordered.slice(params.offset, params.offset + pageSize);
  const lines = (part: typeof shown): Html =>
    datasetList(
      part.map(({ axis, origin, rows: inRegion }) => {
        const stored = store.axes.get(axis)!;
        const target = (view?: 'map'): string =>
          canonicalUrl(pageContract.dataset, { axis, ...place, view, lang: params.lang });
        return {
          title: titleIn(stored, language),
          href: target(),
          links: stored.hasCoordinates ? [{ text: words.map, href: `${target('map')}#map` }] : [],
          origin,
          facts: [
            words.rows(formatNumber(inRegion), percentage(inRegion / stored.rows)),
            stored.axis.provider?.name ?? null,
          ],
        };
      }),
      language,
    );
  const [shownReal, shownSample] = [shown.filter((one) => !isSample(one)), shown.filter(isSample)];
  return html`${regionNotices(view)}
    <p class="quiet">
      ${real.length === 0 ? words.none : words.counts(formatNumber(real.length), formatNumber(rows))}
    </p>
    <p class="links">
      <a
        href="${canonicalUrl(pageContract.search, { q: namedRegion(match).name, lang: params.lang })}"
        >${words.search}</a
      >
      <a href="#compare">${compareTexts[language].heading}</a>
      <a href="${canonicalUrl(lookupContract.region, place)}">${words.json}</a>
    </p>
    ${await listedElsewhere(view)}
    <div class="region">
      ${regionOutline(view.region, { store, language, lang: params.lang })}
      ${
        shownReal.length === 0
          ? emptyHtml
          : html`<section aria-labelledby="datasets">
              <h2 id="datasets">${words.datasets}</h2>
              ${lines(shownReal)}
            </section>`
      }
    </div>
    ${params.offset === 0 ? ofProviders(view, all) : emptyHtml}
    ${
      params.offset > 0 || codes.length === 0
        ? emptyHtml
        : panel(
            compareTexts[language].codes(formatNumber(codes.length)),
            html`<p class="quiet">${compareTexts[language].codesLead}</p>
              ${lines(codes)}`,
          )
    }
    <div class="halves">
      ${placeSection(view)}
      <div>
        ${compareForm(view.region, { language, lang: params.lang })} ${regionNames(view.region)}
        ${historySection(view)}
      </div>
    </div>
    ${
      shownSample.length === 0
        ? emptyHtml
        : html`<section class="sample-data" aria-labelledby="sample">
            <h2 id="sample">${words.sample}</h2>
            <p class="quiet">${words.sampleLead}</p>
            ${lines(shownSample)}
          </section>`
    }
    ${listPager({ offset: params.offset, pageSize, total: ordered.length }, view)}`;
}

const pageSize = 50;

/** Datasets of the region's own authorities in whose records no region is known. */
function ofProviders(
  { store, match, words, params, language }: RegionView,
  listed: Overlaps,
): Html {
  const { name } = namedRegion(match);
  const known = new Set(listed.map(({ axis }) => axis));
  const own = [...store.axes.values()].filter(
    ({ axis }) => axis.provider?.name.startsWith(name) === true && !known.has(axis.code),
  );
  if (own.length === 0) return emptyHtml;
  const items = own.slice(0, pageSize).map(({ axis, rows }) => ({
    title: titleIn(store.axes.get(axis.code)!, language),
    href: canonicalUrl(pageContract.dataset, { axis: axis.code, lang: params.lang }),
    origin: axis.origin,
    facts: [words.allRows(formatNumber(rows)), axis.provider!.name],
  }));
  return html`<section aria-labelledby="providers">
    <h2 id="providers">${words.ofProviders}</h2>
    ${datasetList(items, language)}
  </section>`;
}

type Overlaps = ReturnType<typeof overlapsOf>;

/** Link to the entries about the region in the portal's catalog, some of which are not stored. */
async function listedElsewhere(view: RegionView): Promise<Html> {
  const { store, match, words, params, isAbandoned } = view;
  const { name } = namedRegion(match);
  const { terms, text } = parseQuery(name);
  const { held } = await store.catalogSearch({ terms, text, offset: 0, limit: 0 }, isAbandoned);
  if (held.false === 0) return emptyHtml;
  const href = canonicalUrl(pageContract.catalog, { q: name, lang: params.lang });
  return html`<p><a href="${href}">${words.listed(formatNumber(held.false))}</a></p>`;
}

/** A share from 0 to 1 as a percentage; one that rounds to nothing is still above it. */
function percentage(share: number): string {
  return share < 0.001 ? '<0.1' : String(Math.round(share * 1_000) / 10);
}

/** Notices of a region that no longer exists, with the current ones, and of records that leave its successor open. */
function regionNotices(view: RegionView): Html {
  const { store, match, words, language } = view;
  const texts = datasetTexts[language].warnings;
  const { former, sido } = match;
  const current = former === null ? [] : isMergedSido(former) ? [sido] : currentSuccessors(former);
  const sentences = noticesOf(match, [...store.axes.values()]).map((one) => {
    const { asked: given } = one;
    const [name, rows] = [String(given), formatNumber(Number(one['rows']))];
    if (one.code === 'rows_undecided') return html`${texts.rows_undecided(name, rows)}`;
    if (one.code === 'divided_before') {
      return html`${texts.divided_before(name, String(one['former']), rows)}`;
    }
    return html`${words.former}
    ${current.map(
      (region) =>
        html`<a href="${regionPath(region.code, view.params.lang)}">${fullName(region)}</a> `,
    )}`;
  });
  if (sentences.length === 0) return emptyHtml;
  return notice('note', html`${sentences.map((sentence) => html`<p>${sentence}</p>`)}`);
}

/** The regions below this one, those that touch it, and the others of its province. */
function placeSection(view: RegionView): Html {
  const { region, match, words } = view;
  const below = currentChildren(region.code);
  const upper = regionByCode(region.parent ?? '') ?? match.sido;
  const beside = region.level === 'sido' ? [] : currentChildren(upper.code);
  const neighbours = neighboursOf(region);
  const others = beside.filter((one) => one !== region && !neighbours.includes(one));
  const sidos = regionsOn(todayInSeoul()).filter(
    (one) =>
      one.level === 'sido' &&
      one !== region &&
      region.level === 'sido' &&
      !neighbours.includes(one),
  );
  return html`<section aria-label="${words.places}">
    <p class="quiet">${words.numbers}</p>
    ${regionLinks(words.below(region.name), below, view)}
    ${regionLinks(words.neighbours, neighbours, view)}
    ${regionLinks(words.beside(upper.name), others, view)}
    ${regionLinks(words.otherSidos, sidos, view)}
  </section>`;
}

function regionLinks(heading: string, regions: readonly Region[], view: RegionView): Html {
  if (regions.length === 0) return emptyHtml;
  const counts = datasetCounts(view.store);
  const links = regions.map((one) => {
    const count = counts.get(one.code) ?? 0;
    const isElsewhere =
      one.level === 'sigungu' && !one.code.startsWith(view.region.code.slice(0, 2));
    const name = isElsewhere ? fullName(one) : one.name;
    const number = formatNumber(count);
    return count === 0
      ? linkTo(one, name, view)
      : { ...linkTo(one, `${name} ${number}`, view), title: view.words.datasetsOf(number) };
  });
  return html`<h2>${heading}</h2>
    ${linkChips(links)}`;
}

function linkTo({ code }: Region, text: string, { params }: RegionView) {
  return { text, href: regionPath(code, params.lang) };
}

/** Numbers of real datasets with records of each region, by code. */
const datasetCounts = perStore((store): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const stored of store.axes.values()) {
    const { axis, regions } = stored;
    if (axis.origin === 'sample' || isCodeTable(stored)) continue;
    for (const { code } of regions) counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  return counts;
});

function historySection(view: RegionView): Html {
  const { region, words } = view;
  const changes = regionHistory(region);
  const named = new Set(changes.flatMap(({ former }) => former.map(({ name }) => name)));
  const others =
    region.level === 'sido' ? formerNamesOfSido(region).filter((name) => !named.has(name)) : [];
  return html`<section aria-labelledby="history">
    <h2 id="history">${words.history}</h2>
    ${
      changes.length === 0
        ? html`<p>${words.unchanged}</p>`
        : html`<ul class="datasets">
            ${changes.map((change) => changeLine(change, view))}
          </ul>`
    }
    ${others.length === 0 ? emptyHtml : html`<p>${words.alsoKnown(others.join(', '))}</p>`}
  </section>`;
}

function changeLine({ date, kind, former, later }: RegionChange, view: RegionView): Html {
  const names = (regions: readonly Region[]): Html[] =>
    regions.map((one, at) => {
      const name = kind === 'code' ? `${fullName(one)} (${one.code})` : fullName(one);
      const link =
        one === view.region
          ? html`${name}`
          : html`<a href="${regionPath(one.code, view.params.lang)}">${name}</a>`;
      return html`${at === 0 ? '' : ', '}${link}`;
    });
  return html`<li>
    <p>${names(former)} → ${names(later)}</p>
    <p class="quiet"><time datetime="${date}">${date}</time> · ${view.words.kinds[kind]}</p>
  </li>`;
}
