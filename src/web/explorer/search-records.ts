import { exportContract } from '../../contract/export-routes.ts';
import { pageContract } from '../../contract/pages.ts';
import type { Field, FieldRole, Row } from '../../data/axis.ts';
import type { ParsedQuery } from '../../data/korean/terms.ts';
import { recordId } from '../../data/record-id.ts';
import { shownLabel } from '../../data/shown-label.ts';
import { canonicalUrl } from '../../kernel/http/canonical-url.ts';
import { foundRecordsMax } from '../../lookup/endpoints/export-search.ts';
import { matchesOf } from '../../lookup/matches.ts';
import { queryOf } from '../../lookup/remaining-query.ts';
import { sameNameCondition } from '../../lookup/same-name.ts';
import type { SearchHit, SearchResult } from '../../lookup/store/store.ts';
import { sampleBadge } from '../components/badge.ts';
import { datasetList } from '../components/dataset-list.ts';
import { notice } from '../components/notice.ts';
import { panel } from '../components/panel.ts';
import { pager } from '../components/pager.ts';
import { html, type Html } from '../html.ts';
import { emptyHtml, formatNumber, markRanges } from '../layout.ts';
import { titleIn } from './dataset-view.ts';
import { recordPath } from './paths.ts';
import type { QueryRegion } from './query-region.ts';
import { recordName, recordWords } from './record-title.ts';
import { countIn, recordsOf, type FoundDataset } from './search-datasets.ts';
import type { SearchView } from './search-view.ts';

/** Records that a query finds, all of them in its region if there is one. */
export interface FoundRecords {
  /** The terms that were searched for. */
  readonly query: ParsedQuery;
  readonly region: QueryRegion | null;
  readonly result: SearchResult;
}

/** Records of a result in their order, with links to other pages of them. */
export function recordList(
  records: FoundRecords,
  region: QueryRegion | null,
  view: SearchView,
): Html {
  const { result: found, query } = records;
  const { words, offset } = view;
  if (found.hits.length === 0 && found.total > 0) return pastEnd(view);
  if (found.hits.length === 0) return html`<p class="quiet">${words.noRecords}</p>`;
  return html`${wholeFiles(records, region, view)}
    <ol class="cards" start="${offset + 1}">
      ${found.hits.map((hit) => hitCard(hit, query, view))}
    </ol>
    ${found.totalRelation === 'eq' && found.hitsTotal < found.total ? html`<p class="quiet">${words.nameOnce(formatNumber(found.hitsTotal))}</p>` : emptyHtml}
    ${pages(found, view)}`;
}

/** The files with all records of the search, which its reader opens, or why there is none. */
function wholeFiles(
  { result, query, region: searched }: FoundRecords,
  region: QueryRegion | null,
  { words }: SearchView,
): Html {
  const { total, totalRelation, axes } = result;
  if (total > foundRecordsMax || totalRelation === 'gte') {
    return html`<p class="quiet">
      ${words.tooManyForFile(formatNumber(foundRecordsMax))}
      <a href="#${region?.rest === '' ? 'datasets' : 'by-dataset'}">${words.byDatasetInstead}</a>
    </p>`;
  }
  // One dataset has its own files, with its own columns.
  if (axes.size < 2) return emptyHtml;
  const selected = { q: queryOf(query.terms), ...searched?.place };
  return panel(
    words.wholeFile(formatNumber(total)),
    html`<p class="quiet">${words.wholeFileLead}</p>
      <p class="links">
        ${(['xlsx', 'csv', 'ndjson'] as const).map(
          (format) =>
            html`<a
              class="button quiet"
              rel="nofollow"
              download
              href="${canonicalUrl(exportContract.searchExport, { format, ...selected, bom: '1', header: 'label' })}"
              >${format.toUpperCase()}</a
            >`,
        )}
      </p>`,
  );
}

function pastEnd({ words, target }: SearchView): Html {
  return notice(
    'note',
    html`<p role="status">
      ${words.pastEnd} <a href="${target({ offset: 0 })}#records">${words.firstPage}</a>
    </p>`,
  );
}

/** Number of records on a page. */
export const pageSize = 20;

/**
 * Datasets of the records of a result, with the number of records in each and a file of them. Beside all datasets of a
 * region, only those that have its name elsewhere.
 */
export function recordsByDataset(
  { result: found, query, region: searched }: FoundRecords,
  region: QueryRegion | null,
  listed: readonly FoundDataset[],
  view: SearchView,
): Html {
  const { words, store, language } = view;
  const known = new Map(listed.map((one) => [one.code, one]));
  const isRegion = region?.rest === '';
  const axes = found.axes
    .first(datasetsShown + othersMax + (isRegion ? known.size : 0))
    .filter(({ axis }) => !isRegion || !known.has(axis));
  if (axes.length === 0) return emptyHtml;
  const repeated = isRegion ? listed.filter(({ code }) => found.axes.countIn(code) > 0).length : 0;
  const lines = (part: typeof axes) =>
    part.map(({ axis, count, relation }) => {
      const stored = store.axes.get(axis)!;
      // A query that is a region has the counts of the region, which are exact.
      const inRegion = isRegion ? countIn(stored, region) : 0;
      const selected = inRegion === 0 ? query.terms : [];
      const place = inRegion === 0 ? searched?.place : region?.place;
      const own = known.get(axis);
      const rows = own?.count ?? (inRegion || count);
      const { href, files } = own ?? recordsOf(axis, selected, rows, view, place);
      const isExact = own !== undefined || inRegion > 0 || relation === 'eq';
      return {
        title: titleIn(stored, language),
        href,
        origin: stored.axis.origin,
        facts: [isExact ? words.rowsOf(formatNumber(rows)) : words.manyRows],
        links: files,
      };
    });
  return html`<h3 id="by-dataset">
      ${isRegion && known.size > 0 ? words.byDatasetBeside(region.text) : words.byDataset}
    </h3>
    ${datasetList(lines(axes.slice(0, datasetsShown)), language)}
    ${otherDatasets(lines(axes.slice(datasetsShown)), found.axes.size - repeated - datasetsShown, view)}`;
}

const datasetsShown = 12;
/** Most datasets in the list that the reader opens. */
const othersMax = 200;

/** The datasets after the first of a list, which the reader opens; `count` includes those that are too many. */
export function otherDatasets(
  lines: Parameters<typeof datasetList>[0],
  count: number,
  { words, language }: SearchView,
): Html {
  if (count <= 0) return emptyHtml;
  return panel(
    words.otherDatasets(formatNumber(count)),
    datasetList(lines.slice(0, othersMax), language),
  );
}

function hitCard(hit: SearchHit, { terms }: ParsedQuery, view: SearchView): Html {
  const { store, words, lang, language } = view;
  const stored = store.axes.get(hit.axis)!;
  const { axis, fields } = stored;
  // A store's record is the JSON of a row.
  const record = JSON.parse(hit.record.toString()) as Row;
  const searchable = fields
    .filter((field) => field.searchable)
    .map((field) => ({ name: field.name, label: shownLabel(field) }));
  const matches = matchesOf(record, searchable, terms);
  const name = recordName(stored, record);
  const described = name === null ? recordWords(stored, record) : null;
  const title = name ?? described ?? matches[0]?.snippet ?? titleIn(stored, language);
  const same = sameNameCondition(hit, stored, record);
  const href = recordPath(axis.code, recordId(hit.record, axis.keyFields), lang);
  return html`<li>
    <h3><a href="${href}">${title}</a></h3>
    <p class="quiet">${titleIn(stored, language)} ${sampleBadge(axis.origin, language)}</p>
    ${matches
      .slice(0, matchesShown)
      .map(({ label, snippet, ranges }) => html`<p>${label}: ${markRanges(snippet, ranges)}</p>`)}
    ${
      described === null
        ? dateAndPlace(record, fields, new Set(matches.map(({ field }) => field)))
        : emptyHtml
    }
    ${
      same === null
        ? emptyHtml
        : html`<p>
            <a href="${canonicalUrl(pageContract.dataset, { axis: axis.code, where: same, lang })}"
              >${words.more(formatNumber(hit.more))}</a
            >
          </p>`
    }
  </li>`;
}

const matchesShown = 3;

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

function pages(found: SearchResult, { words, offset, target }: SearchView): Html {
  const { hits, hitsTotal, totalRelation } = found;
  const until = offset + hits.length;
  const hasNext = totalRelation === 'gte' ? hits.length === pageSize : until < hitsTotal;
  if (offset === 0 && !hasNext) return emptyHtml;
  const total = formatNumber(hitsTotal) + (totalRelation === 'gte' ? '+' : '');
  const link = (text: string, at: number) => ({ text, href: `${target({ offset: at })}#records` });
  return pager({
    label: words.pages,
    place: words.place(formatNumber(offset + 1), formatNumber(until), total),
    first: null,
    previous: offset === 0 ? null : link(words.previous, Math.max(0, offset - pageSize)),
    next: hasNext ? link(words.next, offset + pageSize) : null,
    last: null,
  });
}
