import type { Warning } from '../../contract/route.ts';
import { findRegion } from '../../data/regions/find-region.ts';
import { fullName, regionByCode, type Region } from '../../data/regions/region-table.ts';
import { filterChips } from '../components/chips.ts';
import { notice } from '../components/notice.ts';
import { html, type Html } from '../html.ts';
import { emptyHtml, formatNumber } from '../layout.ts';
import { sheetRowsMax } from '../../data/xlsx/workbook.ts';
import { conditionInputs } from './condition-form.ts';
import { conditionText } from './condition-text.ts';
import { exportTarget, filteredTarget, whereOf, type DatasetView } from './dataset-view.ts';
import { placeSection } from './chosen-place.ts';
import { nearText } from './near-place.ts';
import { valueOffer } from './value-offer.ts';

/** The form that filters, the filters in use and the number of records. */
export async function filterSection(view: DatasetView, total: number): Promise<Html> {
  const { words, stored } = view;
  const chips = chipsOf(view);
  const all = formatNumber(stored.rows);
  const count = total === stored.rows ? words.count(all) : words.countOf(formatNumber(total), all);
  return html`${filterForm(view)}
    <div class="filter-line">
      <p class="count" role="status">${count}</p>
      ${filterChips(words.filters, chips, words)}
      ${
        chips.length < 2
          ? emptyHtml
          : html`<a rel="nofollow" href="${clearedTarget(view)}">${words.clear}</a>`
      }
      ${stored.regions.length === 0 || total === 0 ? emptyHtml : byRegion(view)}
      ${total === 0 ? emptyHtml : quickFiles(view, total)}
    </div>
    ${view.params.view === 'map' ? emptyHtml : placeSection(view)} ${await valueOffer(view)}`;
}

/** A link to the chart by region: of the 시군구 of a 시도 that is chosen, else of the 시도. */
function byRegion({ target, params, words }: DatasetView): Html {
  const by = params.sido === undefined ? '_sido' : '_sigungu';
  const href = target({ view: 'chart', by, agg: undefined, offset: 0, field: undefined });
  return html`<a rel="nofollow" href="${href}#chart">${words.byRegion}</a>`;
}

/** The files that most readers want, beside the number of their records. */
function quickFiles(view: DatasetView, total: number): Html {
  return html`<span class="quick">
    ${total > sheetRowsMax ? emptyHtml : fileButton('XLSX', exportTarget(view, 'xlsx'))}
    ${fileButton('CSV', exportTarget(view, 'csv', { header: 'label' }))}
    <a href="#files">${view.words.otherFiles}</a>
  </span>`;
}

function fileButton(text: string, href: string): Html {
  return html`<a class="button quiet" rel="nofollow" download href="${href}">${text}</a>`;
}

function clearedTarget({ target, params }: DatasetView): string {
  const { axis, lang, sort, view, by, agg } = params;
  const cleared = Object.fromEntries(Object.keys(params).map((name) => [name, undefined]));
  return target({ ...cleared, axis, lang, sort, view, by, agg });
}

function filterForm(view: DatasetView): Html {
  const { params, words, stored } = view;
  const { axis, q, sido, sigungu, lang } = params;
  // Parameters that the form has no input for stay as they are.
  const kept = ['select', 'sort', 'near', 'place', 'radius', 'bbox', 'view', 'by', 'agg'] as const;
  return html`<form
    class="filters"
    action="/data/${encodeURIComponent(axis)}"
    method="get"
    role="search"
    aria-label="${words.find}"
  >
    ${lang === undefined ? emptyHtml : html`<input type="hidden" name="lang" value="${lang}" />`}
    ${kept.map((name) =>
      params[name] === undefined
        ? emptyHtml
        : html`<input type="hidden" name="${name}" value="${params[name]}" />`,
    )}
    <div class="inputs">
      ${input('q', words.words, q, html`type="search" maxlength="200"`)}
      ${
        stored.regions.length === 0
          ? emptyHtml
          : html`${input('sido', words.sido, sido, html`maxlength="200" list="sidos"`)}
            ${input('sigungu', words.sigungu, sigungu, html`maxlength="200" list="sigungus"`)}
            ${regionLists(view)}`
      }
      <button>${words.apply}</button>
    </div>
    ${conditionInputs(view)}
  </form>`;
}

/** The names of the regions that the dataset has, the 시군구 of a 시도 that is chosen. */
function regionLists({ stored, params: { sido } }: DatasetView): Html {
  const regions = stored.regions.flatMap(({ code }) => regionByCode(code) ?? []);
  const chosen = sido === undefined ? null : (findRegion(sido)?.countedCode ?? null);
  const options = (level: Region['level']): Html[] => {
    const those = regions.filter((one) => one.level === level && isIn(one, level, chosen));
    const names = [...new Set(those.map(({ name }) => name))].sort();
    return names.map((name) => html`<option value="${name}"></option>`);
  };
  return html`<datalist id="sidos">${options('sido')}</datalist>
    <datalist id="sigungus">${options('sigungu')}</datalist>`;
}

function isIn({ code }: Region, level: Region['level'], sido: string | null): boolean {
  return level === 'sido' || sido === null || code.startsWith(sido);
}

function input(name: string, label: string, value: string | undefined, more: Html): Html {
  return html`<label
    ><span>${label}</span> <input name="${name}" value="${value ?? ''}" ${more}
  /></label>`;
}

interface Chip {
  readonly text: string;
  readonly removeHref: string;
}

/** The filters of the address, each with the address without it. */
function chipsOf(view: DatasetView): Chip[] {
  const { params, words, conditions } = view;
  const { q, sido, sigungu, near, radius, bbox, sample, select } = params;
  // The part of the page that the reader is looking at, also when nothing is left of it.
  const place = params.view;
  const chips: Chip[] = conditions.map((part, at) => ({
    text: conditionText(part, view),
    removeHref: `${filteredTarget(view, { where: whereOf(conditions.toSpliced(at, 1)) })}#${place}`,
  }));
  const add = (text: string, changes: Parameters<typeof filteredTarget>[1]): void => {
    chips.push({ text, removeHref: `${filteredTarget(view, changes)}#${place}` });
  };
  if (q !== undefined) add(words.searched(q), { q: undefined });
  if (sido !== undefined) {
    add(words.place(regionText(sido, sigungu)), { sido: undefined, sigungu: undefined });
  }
  if (near !== undefined) {
    add(nearText(near, radius, view), { near: undefined, radius: undefined, place: undefined });
  }
  if (bbox !== undefined) add(words.box, { bbox: undefined });
  if (sample !== undefined) add(words.sampled(formatNumber(sample)), { sample: undefined });
  if (select !== undefined) {
    add(words.selected(formatNumber(view.query.fields?.length ?? 0)), { select: undefined });
  }
  return chips;
}

function regionText(sido: string, sigungu: string | undefined): string {
  const match = findRegion(sido, sigungu);
  if (match === null) return [sido, sigungu].filter((part) => part !== undefined).join(' ');
  return fullName(match.former ?? match.sigungu ?? match.sido);
}

/** Messages about parameters that were not used as they were given. */
export function warningNotices(view: DatasetView): Html {
  return html`${view.warnings.flatMap((warning) => {
    const text = warningText(warning, view);
    return text === null ? [] : notice('warning', html`<p>${text}</p>`);
  })}`;
}

function warningText(warning: Warning, view: DatasetView): Html | null {
  const words = view.words.warnings;
  const text = (member: string): string => textOf(warning[member]);
  const { asked: given } = warning;
  const name = textOf(given);
  const list = (member: string): string[] => {
    const value = warning[member];
    return Array.isArray(value) ? value.map(String) : [];
  };
  switch (warning.code) {
    case 'unknown_region': {
      const names = list('suggestions');
      return html`${words.unknown_region}
      ${names.length === 0 ? null : words.meant(names.join(', '))}`;
    }
    case 'filter_ignored': {
      const { where, sort } = warning;
      const parts = {
        ...(typeof where === 'string' ? { where } : {}),
        ...(typeof sort === 'string' ? { sort } : {}),
      };
      const link = html`<a rel="nofollow" href="${filteredTarget(view, parts)}"
        >${words.writeInstead}</a
      >`;
      return html`${words.filter_ignored(warning.parameter ?? '')}
      ${Object.keys(parts).length === 0 ? null : link}`;
    }
    case 'value_missing':
      return html`${words.value_missing}`;
    case 'terms_dropped':
      return html`${words.terms_dropped}`;
    case 'former_region':
      return html`${words.former_region(name, list('now').join(', '))}`;
    case 'rows_undecided':
      return html`${words.rows_undecided(name, text('rows'))}`;
    case 'divided_before':
      return html`${words.divided_before(name, text('former'), text('rows'))}`;
    default:
      return null;
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
