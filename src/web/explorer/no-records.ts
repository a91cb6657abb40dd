import { rewritesWithResults } from '../../lookup/rewrites.ts';
import { columnsOf, readSelection } from '../../lookup/selection.ts';
import { linkChips } from '../components/chips.ts';
import { notice } from '../components/notice.ts';
import { html, type Html } from '../html.ts';
import { emptyHtml, formatNumber } from '../layout.ts';
import { conditionTexts } from './condition-texts.ts';
import { filteredTarget, labelIn, valueTarget, whereOf, type DatasetView } from './dataset-view.ts';
import { simpleConditionOf } from './simple-condition.ts';

/** A message that nothing was found, with other spellings of the words that find records of the dataset. */
export async function noRecords(view: DatasetView): Promise<Html> {
  const { words, params, conditions } = view;
  const others = await spellings(view);
  const given = [params.q, params.sido, params.near, params.bbox].filter(
    (one) => one !== undefined,
  );
  const hasSeveral = given.length + conditions.length > 1;
  return notice(
    'note',
    html`<p>${words.none}</p>
      ${hasSeveral ? html`<p>${words.noneHelp}</p>` : emptyHtml} ${await valuesHere(view)}
      ${
        others.length === 0
          ? emptyHtml
          : html`<p>${words.tryInstead}</p>
              ${linkChips(others.map((text) => ({ text, href: `${filteredTarget(view, { q: text })}#${params.view}` })))}`
      }`,
  );
}

/** For each condition on a field of few values, the values that the other conditions leave, as links. */
async function valuesHere(view: DatasetView): Promise<Html> {
  const words = conditionTexts[view.language];
  const offers = await Promise.all(view.conditions.map((_, at) => valuesInPlaceOf(at, view)));
  const found = offers.filter(({ links }) => links.length > 0).slice(0, offersMax);
  if (found.length === 0) return emptyHtml;
  return html`<p>${words.valuesHere}</p>
    ${found.map(
      ({ label, links }) =>
        html`<p class="quiet">${label}</p>
          ${linkChips(links)}`,
    )}`;
}

const offersMax = 3;

/** The values that may stand in the place of a condition, most first; none for a field of many values. */
async function valuesInPlaceOf(at: number, view: DatasetView) {
  const { stored, store, params, conditions, language, isAbandoned } = view;
  const simple = simpleConditionOf(conditions[at]!);
  const name =
    simple === null
      ? null
      : columnsOf(stored).find({ text: simple.column, position: 0 }, 'where').name;
  const field = stored.fields.find((one) => one.name === name);
  const others = conditions.toSpliced(at, 1);
  const { selection } = readSelection({ ...params, where: whereOf(others) }, stored);
  if (field === undefined || selection === null) return { label: '', links: [] };
  const { items, total } = await store.values(
    stored.axis.code,
    { ...selection, column: field.name, offset: 0, limit: valuesMax },
    isAbandoned,
  );
  const links = items.flatMap(({ value, count }) =>
    value === null
      ? []
      : [
          {
            text: `${shortened(String(value))} ${formatNumber(count)}`,
            href: `${valueTarget({ ...view, conditions: others }, field.name, String(value))}#table`,
          },
        ],
  );
  return { label: labelIn(field, language), links: total > valuesMax ? [] : links };
}

const valuesMax = 12;

function shortened(text: string): string {
  return text.length > textLengthMax ? `${text.slice(0, textLengthMax).toWellFormed()}…` : text;
}

const textLengthMax = 40;

/** Queries that may replace the query of the address, by the rules of the search; empty if it has no query. */
async function spellings({ store, stored, params, isAbandoned }: DatasetView): Promise<string[]> {
  if (params.q === undefined) return [];
  const rewrites = await rewritesWithResults(params.q, {
    store,
    scope: 'records',
    count: async (query) => {
      const axis = stored.axis.code;
      const part = { axis, match: 'record', limit: 0, offset: 0 } as const;
      return (await store.search({ ...query, ...part }, isAbandoned)).total;
    },
    isAbandoned,
  });
  return rewrites.map(({ text }) => text);
}
