import { lookupContract } from '../../contract/lookup.ts';
import { canonicalUrl } from '../../kernel/http/canonical-url.ts';
import { redirect, type Content } from '../../kernel/http/result.ts';
import { explainFilters } from '../../lookup/foreign-filters.ts';
import { readRowsQuery, selectedPage, type SelectedPage } from '../../lookup/selected-page.ts';
import { columnsOf } from '../../lookup/selection.ts';
import { citationOf } from '../../lookup/citation.ts';
import { sampleBadge } from '../components/badge.ts';
import { linkChips } from '../components/chips.ts';
import { codeSample } from '../components/code-sample.ts';
import { factList } from '../components/facts.ts';
import { notice } from '../components/notice.ts';
import { panel } from '../components/panel.ts';
import { trail } from '../components/trail.ts';
import { html, type Html } from '../html.ts';
import { emptyHtml, formatNumber, page } from '../layout.ts';
import type { PageRequest } from '../serve-page.ts';
import { chartSection } from './chart-section.ts';
import { whereWithAdded } from './condition-form.ts';
import { codeSampleSection } from './dataset-code-samples.ts';
import { datasetFacts, factSummary } from './dataset-facts.ts';
import { fieldSection } from './dataset-fields.ts';
import { fileSection } from './dataset-files.ts';
import { filterSection, warningNotices } from './dataset-filters.ts';
import { datasetTable } from './dataset-table.ts';
import { datasetTexts } from './dataset-texts.ts';
import { conditionsOf, titleIn, type DatasetParams, type DatasetView } from './dataset-view.ts';
import { distribution } from './distribution.ts';
import { findingSection } from './findings.ts';
import { linkedData } from './linked-data.ts';
import { noRecords } from './no-records.ts';
import { mapListMax, mapSection } from './map-section.ts';
import { requireDataset } from './missing.ts';
import { datasetPath } from './paths.ts';
import { chosenPlace, placeTarget } from './chosen-place.ts';
import { plainDescription } from './plain-description.ts';
import { regionsNamed, regionsNamedIn, type NamedRegion } from './query-region.ts';
import { scopeTexts } from './scope-texts.ts';
import { viewTabs } from './view-tabs.ts';

/**
 * The page of a dataset: facts, the records that its address selects, files, code, fields and findings. A condition from
 * the form redirects to the address that has it in `where`.
 */
export async function datasetPage(typed: DatasetParams, request: PageRequest): Promise<Content> {
  const { store, language, given, warnings } = request;
  const stored = requireDataset(typed.axis, store);
  const isAlone = typed.sigungu !== undefined && typed.sido === undefined;
  const meant = isAlone ? regionsNamedIn(typed.sigungu, stored) : [];
  if (meant.length === 1) return redirect(request.target({ ...meant[0]!.place, offset: 0 }));
  // The form stays, with the choices above the records.
  const params = isAlone ? { ...typed, sigungu: undefined } : typed;
  explainFilters(given, columnsOf(stored));
  const query = readRowsQuery({ ...params, with: 'id' }, stored);
  const words = datasetTexts[language];
  const conditions = conditionsOf(params.where, stored);
  if (params.column !== undefined) {
    const where = whereWithAdded(params, { conditions, stored });
    if (where !== null) return redirect(request.target({ ...notAdded, where, offset: 0 }));
    warnings.push({ code: 'value_missing', parameter: 'value' });
  }
  const target: PageRequest['target'] = (changes) =>
    request.target({ ...notAdded, sigungu: params.sigungu, ...changes });
  const place = stored.hasCoordinates ? await chosenPlace(params, request) : null;
  if (params.near === undefined && place?.chosen)
    return redirect(placeTarget(place.chosen, params, target));
  const view: DatasetView = { ...request, target, stored, params, query, conditions, place, words };
  warnings.push(...query.warnings);
  const part = { limit: listedMax[params.view] ?? params.limit, offset: params.offset };
  const { selection } = query;
  const records: SelectedPage =
    selection === null
      ? nothing
      : await selectedPage(query, selection, part, stored, {
          data: store,
          isAbandoned: request.isAbandoned,
        });
  const title = titleIn(stored, language);
  const facts = datasetFacts(view);
  const canonical = request.absoluteUrl(datasetPath(stored.axis.code));
  return page({
    language,
    title: `${title} – ${words.home}`,
    description: facts
      .slice(0, 3)
      .flatMap(({ sentence, tone }) => (tone === 'unknown' ? [] : [sentence]))
      .join(' '),
    translationUrl: target({ lang: language === 'ko' ? 'en' : 'ko' }),
    canonicalUrl: canonical,
    width: 'wide',
    search: '',
    head: html`<script type="module" src="/assets/copy.js"></script>
      <script type="module" src="/assets/condition.js"></script>
      ${viewHeads[params.view]} ${canonical === undefined ? emptyHtml : linkedData(view, canonical)}`,
    main: html`
      ${trail(words.trail, [{ text: words.home, href: '/' }], title)}
      <h1>${title} ${sampleBadge(stored.axis.origin, language)}</h1>
      ${stored.axis.origin === 'sample' ? notice('warning', html`<p>${words.sampleNotice}</p>`) : emptyHtml}
      ${catalogDescription(view)} ${factList(facts, factSummary(view))} ${contents(view)}
      ${warningNotices(view)}
      <section id="table" aria-label="${words.table}">
        ${isAlone ? sigunguChoices(typed.sigungu, meant, view) : emptyHtml}
        ${await filterSection(view, records.total)} ${viewTabs(view, records.total)}
        ${await shownRecords(view, records)}
      </section>
      <div class="halves">
        ${await fileSection(view, records.total)} ${codeSampleSection(view, records.total)}
      </div>
      ${fieldSection(view)}
      <div class="halves">${await findingSection(view)} ${citationSection(view)}</div>
      <p role="status" class="spoken"></p>
    `,
  });
}

/** Links to the regions of a name that several have; a notice if the dataset has no record of it, or it names none. */
function sigunguChoices(name: string, meant: readonly NamedRegion[], view: DatasetView): Html {
  const { target } = view;
  const words = scopeTexts[view.language];
  if (meant.length === 0) {
    const known = regionsNamed(name).map((one) => one.name);
    const text = known.length === 0 ? words.sigunguUnknown(name) : words.sigunguEmpty(known);
    return notice('warning', html`<p>${text}</p>`);
  }
  return notice(
    'note',
    html`<p role="status">${words.sigunguChoice(name)}</p>
      ${linkChips(meant.map((one) => ({ text: one.name, href: `${target({ ...one.place, offset: 0 })}#table` })))}`,
  );
}

/** The description of the portal's catalog, if it has one; a long one is opened, since the records are what readers come for. */
function catalogDescription({ stored, words }: DatasetView): Html {
  const description = plainDescription(stored.listed?.description ?? null, descriptionLengthMax);
  if (description === null) return emptyHtml;
  return description.length > shortLengthMax
    ? panel(words.described, html`<p>${description}</p>`)
    : html`<p>${description} <span class="quiet">(${words.described})</span></p>`;
}

const shortLengthMax = 120;
const descriptionLengthMax = 1000;

/** No condition from the form. */
const notAdded = { column: undefined, test: undefined, value: undefined };

/** The records in the view that the address names. */
async function shownRecords(view: DatasetView, records: SelectedPage): Promise<Html> {
  if (records.total === 0) return noRecords(view);
  if (view.params.view === 'chart') return chartSection(view);
  if (view.params.view === 'map') return mapSection(view, records);
  return html`${await distribution(view)} ${datasetTable(view, records)}`;
}

/** Number of records that are read for a view other than the table; a chart needs only their count. */
const listedMax: Readonly<Record<string, number>> = { chart: 0, map: mapListMax };

/** Styles and scripts of a view. */
const viewHeads: Readonly<Record<string, Html>> = {
  chart: html`<link rel="stylesheet" href="/assets/charts.css" />
    <link rel="stylesheet" href="/assets/map.css" />`,
  map: html`<link rel="stylesheet" href="/assets/map.css" />
    <script type="module" src="/assets/map.js"></script>`,
};

const nothing: SelectedPage = {
  items: Buffer.alloc(0),
  count: 0,
  total: 0,
  unread: {},
  rows: null,
  columns: [],
};

function contents({ words }: DatasetView): Html {
  const parts = ['table', 'files', 'code', 'fields', 'findings', 'citation'] as const;
  return html`<nav class="contents-line" aria-label="${words.contents}">
    ${parts.map((part) => html`<a href="#${part}">${words[part]}</a>`)}
  </nav>`;
}

function citationSection({ stored, store, words, language, baseUrl, target }: DatasetView): Html {
  const { axis } = stored;
  const address = `${baseUrl}${target({ lang: undefined, field: undefined })}`;
  const cite = (cited: 'ko' | 'en'): string =>
    `${citationOf(axis, { id: null, language: cited }, store)}, ${address}`;
  const rows = canonicalUrl(lookupContract.rows, { axis: axis.code });
  return html`<section aria-labelledby="citation">
    <h2 id="citation">${words.citation}</h2>
    <p class="quiet">${words.citationLead}</p>
    ${codeSample(cite('ko'), words.korean, language)}
    ${codeSample(cite('en'), words.english, language)}
    <p class="links">
      <a href="${rows}">${words.json}</a>
      <a href="/api/data/changes?axis=${encodeURIComponent(axis.code)}&amp;format=atom"
        >${words.feed}</a
      >
      <span class="quiet">${axis.code} · ${formatNumber(stored.rows)}</span>
    </p>
  </section>`;
}
