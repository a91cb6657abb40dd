import type { Static } from 'typebox';
import { lookupContract } from '../../contract/lookup.ts';
import { toolLimitMax, type tools } from '../../contract/tools.ts';
import type { Row, Value } from '../../data/axis.ts';
import { regionByCode } from '../../data/regions/region-table.ts';
import { counted } from '../../kernel/counted.ts';
import { groups } from '../../lookup/endpoints/groups.ts';
import { rows } from '../../lookup/endpoints/rows.ts';
import { requireAxis } from '../../lookup/refusals.ts';
import { boundedAnswer, readPage, type ToolAnswer } from '../answer.ts';
import { callEndpoint, type ToolContext } from '../call-endpoint.ts';
import { cutValue, table } from '../markdown.ts';
import { noticesOf } from '../notices.ts';
import { datasetPage } from '../page-links.ts';
import { valueHints } from '../value-hints.ts';
import {
  datasetPart,
  listValue,
  namesValue,
  selectionValues,
  type SelectionArguments,
} from './axis-query.ts';

/** Aggregates records of one dataset by group. */
export async function summarize(
  given: Static<typeof tools.summarize.input>,
  context: ToolContext,
): Promise<ToolAnswer> {
  const bounds = { default: toolLimitMax, maximum: toolLimitMax };
  const page = readPage('summarize', given, context, bounds);
  const stored = requireAxis(given.axis, context.store);
  const { limit, offset } = page;
  const { having } = given;
  const by = namesValue(given.by, stored);
  const sort = listValue(given.sort) ?? defaultSort(given);
  const selected = selectionValues(given, context);
  const values = {
    axis: given.axis,
    by,
    agg: listValue(given.agg),
    ...selected,
    having,
    sort,
    limit,
    offset,
  };
  const found = await callEndpoint(lookupContract.groups, groups, values, context);
  const { axis, title, items, total, totalRows, unread, where } = found;
  const pageOfRecords = datasetPage(axis, context, selected);
  const isWhole = offset === 0 && items.length === total;
  const records =
    isWhole && found.agg.includes('count') ? sumOf(items) : await countRecords(given, context);
  const regions: Readonly<Record<string, string>> = found.regions ?? {};
  const { freshnessRemark, freshness, ...part } = datasetPart(stored, context);
  const notices = [
    ...(records === 0 ? [emptyNotice] : []),
    ...(totalRows === 0
      ? []
      : [`${totalRows} records are totals of the source; where _total = false leaves them out.`]),
    ...noticesOf(found.warnings, { requested: given.limit, maximum: toolLimitMax }),
    ...(found.truncated ? [truncatedNotice(found)] : []),
    ...Object.entries(unread).map(
      ([name, count]) =>
        `${count} values of ${name} could not be read as its type and are left out.`,
    ),
  ];
  const hints = records === 0 ? await valueHints(given.where, stored, context) : [];
  const draft = {
    ...part,
    items,
    offset,
    total,
    notices,
    summary: (shown: number) =>
      `Groups ${shown === 0 ? 0 : offset + 1}–${offset + shown} of ${total} of the dataset ${axis}; ${counted(records, 'record')}.`,
    show: (shown: readonly Row[], lengthMax: number) => {
      const cut = shown.map((row) =>
        Object.fromEntries(
          Object.entries(row).map(([name, value]) => [
            name,
            cutValue(withRegionName(value, regions), lengthMax),
          ]),
        ),
      );
      const names = [...found.by, ...found.agg];
      const others = offset === 0 ? othersOf(shown, { total, records, agg: found.agg }) : null;
      const rest =
        others === null
          ? []
          : [
              `Others: ${counted(others.groups, 'group')}${others.rows === null ? '' : `, ${counted(others.rows, 'record')}`}.`,
            ];
      return {
        lines: [
          title,
          ...hints,
          ...table(
            names,
            cut.map((row) => names.map((name) => row[name] ?? null)),
          ),
          ...rest,
        ],
        members: {
          axis,
          title,
          by: found.by,
          agg: found.agg,
          ...(where === undefined ? {} : { where }),
          items: cut,
          total,
          records,
          totalRows,
          others,
          unread,
          freshness,
          page: pageOfRecords,
        },
      };
    },
    remarks: [
      freshnessRemark,
      ...(found.by.includes('_sigungu') && items.some(isCityDistrict) ? [districtRemark] : []),
      `Page of these records: ${pageOfRecords}`,
    ],
  };
  return boundedAnswer(draft, page, context);
}

const emptyNotice =
  'No record matches. Try fewer conditions, or values as they are spelled in the data.';

const districtRemark =
  'Districts of cities (일반구, such as 창원시 의창구) are groups of their own; region: 창원시 counts the whole city.';

/** True for a group of a 일반구, whose parent is a city. */
function isCityDistrict({ _sigungu: code }: Row): boolean {
  return regionByCode(String(code))?.parent?.length === 5;
}

/** Groups by time are in order of time, others in order of their number of records. */
function defaultSort({
  by = [],
  agg = ['count'],
}: {
  readonly by?: readonly string[];
  readonly agg?: readonly string[];
}): string | undefined {
  const [first] = by;
  if (first === undefined) return undefined;
  if (/^(?:year|month|day)\(/.test(first)) return first;
  return agg.includes('count') ? '-count' : undefined;
}

/** Adds the name to the code of a region; other values stay unchanged. */
function withRegionName(value: Value, regions: Readonly<Record<string, string>>): Value {
  const name = typeof value === 'string' ? regions[value] : undefined;
  return name === undefined ? value : `${String(value)} ${name}`;
}

/** Notice that groups are missing from the answer, with their number if it is known. */
function truncatedNotice(found: { groups: number; groupsRelation: 'eq' | 'gte' }): string {
  if (found.groupsRelation === 'gte')
    return 'There are more groups than are counted; add a condition.';
  return `${found.groups} groups exist, and those with the most records are counted; add a condition.`;
}

/** Number of groups that are not shown, and of their records if the records were counted. */
function othersOf(
  shown: readonly Row[],
  { total, records, agg }: { total: number; records: number; agg: readonly string[] },
): { readonly groups: number; readonly rows: number | null } | null {
  if (shown.length >= total) return null;
  const rows = agg.includes('count') ? records - sumOf(shown) : null;
  return { groups: total - shown.length, rows };
}

function sumOf(groupRows: readonly Row[]): number {
  return groupRows.reduce((sum, row) => sum + Number(row['count']), 0);
}

/** Number of grouped records, for an answer whose groups do not add up to it. */
async function countRecords(
  given: SelectionArguments & { readonly axis: string },
  context: ToolContext,
): Promise<number> {
  const values = { axis: given.axis, ...selectionValues(given, context), limit: 0 };
  return (await callEndpoint(lookupContract.rows, rows, values, context)).total;
}
