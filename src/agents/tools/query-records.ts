import type { Static } from 'typebox';
import { lookupContract } from '../../contract/lookup.ts';
import { toolLimitMax, type tools } from '../../contract/tools.ts';
import type { Row } from '../../data/axis.ts';
import { counted } from '../../kernel/counted.ts';
import { rows } from '../../lookup/endpoints/rows.ts';
import { requireAxis } from '../../lookup/refusals.ts';
import { addedName } from '../../lookup/shown-fields.ts';
import { boundedAnswer, readPage, type ToolAnswer } from '../answer.ts';
import { callEndpoint, type ToolContext } from '../call-endpoint.ts';
import { cutValue, table } from '../markdown.ts';
import { noticesOf } from '../notices.ts';
import { datasetPage } from '../page-links.ts';
import { valueHints } from '../value-hints.ts';
import { datasetPart, namesValue, selectionValues } from './axis-query.ts';

/** Lists records of one dataset. */
export async function queryRecords(
  given: Static<typeof tools.query_records.input>,
  context: ToolContext,
): Promise<ToolAnswer> {
  const page = readPage('query_records', given, context, { default: 20, maximum: toolLimitMax });
  const stored = requireAxis(given.axis, context.store);
  const { limit, offset } = page;
  const query = {
    ...selectionValues(given, context),
    select: namesValue(given.select, stored),
    sort: namesValue(given.sort, stored),
  };
  const values = { axis: given.axis, ...query, with: 'id', limit, offset };
  const found = await callEndpoint(lookupContract.rows, rows, values, context);
  const { axis, title, where, items, total, meta } = found;
  const pageOfRecords = datasetPage(axis, context, query);
  const fields = found.fields ?? [];
  const { freshnessRemark, freshness, ...part } = datasetPart(stored, context);
  const unread = Object.entries(meta.unread ?? {}).map(
    ([name, count]) => `${counted(count, 'value')} of ${name} could not be read as its type.`,
  );
  const notices = noticesOf(found.warnings, { requested: given.limit, maximum: toolLimitMax });
  const hints = total === 0 ? await valueHints(given.where, stored, context) : [];
  const draft = {
    ...part,
    items,
    offset,
    total: limit === 0 ? 0 : total,
    notices: [...(total === 0 ? [emptyNotice(stored.rows)] : []), ...notices, ...unread],
    summary: (shown: number) =>
      shown === 0
        ? `${counted(total, 'record')} of the dataset ${axis} ${total === 1 ? 'matches' : 'match'}.`
        : `Records ${offset + 1}–${offset + shown} of ${total} of the dataset ${axis}.${
            shown < items.length ? ' To see more at once, name the fields you need in select.' : ''
          }`,
    show: (rowsShown: readonly Row[], lengthMax: number) => {
      const columns = fields.filter(({ name }) => rowsShown.some((row) => row[name] !== null));
      const empty = fields.filter((field) => !columns.includes(field)).map(({ label }) => label);
      const cut = rowsShown.map((row) =>
        Object.fromEntries(
          columns.map(({ name }) => [name, cutValue(row[name] ?? null, lengthMax)]),
        ),
      );
      const headings = columns.map(({ name, label }) =>
        name === label || name.startsWith('_') ? name : `${label} (${name})`,
      );
      const cells = cut.map((row) => columns.map(({ name }) => row[name] ?? null));
      return {
        lines:
          rowsShown.length === 0
            ? [title, ...hints]
            : [
                title,
                ...table(headings, cells),
                ...(empty.length === 0 ? [] : [`Empty in these records: ${empty.join(', ')}`]),
              ],
        members: {
          axis,
          title,
          ...(where === undefined ? {} : { where }),
          items: cut,
          total,
          fields: columns,
          freshness,
          page: pageOfRecords,
        },
      };
    },
    remarks: [
      freshnessRemark,
      `Page of these records: ${pageOfRecords}`,
      ...(given.near === undefined
        ? []
        : [`${addedName('_distance', stored.fields)} is in metres.`]),
      ...(items.length === 0
        ? []
        : [`Page of one: ${datasetPage(axis, context)}/{${addedName('_id', stored.fields)}}`]),
    ],
  };
  return boundedAnswer(draft, page, context);
}

function emptyNotice(rows: number): string {
  return `No record matches (the dataset has ${rows}). Try fewer conditions, like '%…%' in place of =, a larger region, or values as they are spelled in the data.`;
}
