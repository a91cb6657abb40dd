import { lookupContract } from '../contract/lookup.ts';
import type { Field, StoredAxis } from '../data/axis.ts';
import type { Condition, Comparison } from '../data/columns/condition.ts';
import { valueBounds } from '../data/columns/value-bounds.ts';
import { values as valuesEndpoint } from '../lookup/endpoints/values.ts';
import { readSelection } from '../lookup/selection.ts';
import { callEndpoint, type ToolContext } from './call-endpoint.ts';
import { cutText, oneLine } from './markdown.ts';

/** Lines with values of the fields that a condition compares, to help with a condition that matches nothing. */
export async function valueHints(
  where: string | undefined,
  stored: StoredAxis,
  context: ToolContext,
): Promise<string[]> {
  const condition = readSelection({ where }, stored).selection?.condition;
  if (condition === undefined) return [];
  const comparisons = comparisonsOf(condition);
  const compared = stored.fields.filter(({ name }) =>
    comparisons.some((each) => each.column === name),
  );
  const dates = compared.filter(({ type }) => type === 'date' || type === 'datetime');
  const texts = compared
    .filter(({ type, stats }) => type === 'string' && (stats.distinct ?? Infinity) <= distinctMax)
    .slice(0, fieldsMax);
  return [
    ...dates.slice(0, fieldsMax).flatMap((field) => dateLines(field, comparisons)),
    ...(await Promise.all(texts.map((field) => valuesLine(field, stored, context)))),
  ];
}

/** Fields with more distinct values hold names or numbers; a few of those would not help. */
const distinctMax = 300;
const fieldsMax = 3;
const valuesMax = 20;
const lengthMax = 40;

function comparisonsOf(condition: Condition): Comparison[] {
  if ('parts' in condition) return condition.parts.flatMap(comparisonsOf);
  return 'part' in condition ? comparisonsOf(condition.part) : [condition];
}

/** First and last date of a field, and each compared text that is not a date. */
function dateLines(field: Field, comparisons: readonly Comparison[]): string[] {
  const { name, label, type, unit, stats } = field;
  const texts = comparisons
    .filter(({ column }) => column === name)
    .flatMap((each) => ('values' in each ? each.values : 'value' in each ? [each.value] : []));
  const invalid = [...new Set(texts)].filter((text) => valueBounds({ type, unit }, text) === null);
  return [
    ...invalid
      .slice(0, fieldsMax)
      .map((text) => `“${shortened(text)}” is not a date; write 2026, 2026-03 or 2026-03-01.`),
    ...(stats.min === null || stats.max === null
      ? []
      : [`Dates of ${label}: ${stats.min} to ${stats.max}`]),
  ];
}

async function valuesLine(
  { name, label }: Field,
  { axis }: StoredAxis,
  context: ToolContext,
): Promise<string> {
  const given = { axis: axis.code, field: name, limit: valuesMax };
  const found = await callEndpoint(lookupContract.values, valuesEndpoint, given, context);
  const texts = found.items.map(({ value }) => shortened(String(value)));
  const more = found.total > texts.length ? ', …' : '';
  return `Values of ${label}: ${texts.join(', ')}${more}`;
}

function shortened(text: string): string {
  return cutText(oneLine(text), lengthMax);
}
