import { lookupContract } from '../contract/lookup.ts';
import type { StoredAxis } from '../data/axis.ts';
import { values as valuesEndpoint } from '../lookup/endpoints/values.ts';
import { callEndpoint, type ToolContext } from './call-endpoint.ts';
import { cutText, oneLine } from './markdown.ts';

/** Lines with the commonest values of the fields in a condition, for one that selects nothing. */
export async function valueHints(
  where: string | undefined,
  { axis, fields }: StoredAxis,
  context: ToolContext,
): Promise<string[]> {
  const named = fields
    .filter(({ name, label }) => where?.includes(name) === true || where?.includes(label) === true)
    .filter(({ type, stats }) => type === 'string' && (stats.distinct ?? Infinity) <= distinctMax)
    .slice(0, fieldsMax);
  return Promise.all(
    named.map(async ({ name, label }) => {
      const given = { axis: axis.code, field: name, limit: valuesMax };
      const found = await callEndpoint(lookupContract.values, valuesEndpoint, given, context);
      const texts = found.items.map(({ value }) => cutText(oneLine(String(value)), lengthMax));
      const more = found.total > texts.length ? ', …' : '';
      return `Values of ${label}: ${texts.join(', ')}${more}`;
    }),
  );
}

/** Fields with more values are names and numbers, of which a few are no help. */
const distinctMax = 300;
const fieldsMax = 3;
const valuesMax = 20;
const lengthMax = 40;
