import type { ToolName } from '../contract/tools.ts';
import type { Origin } from '../data/axis.ts';
import { Problem } from '../kernel/problem.ts';
import { cursorAt, positionOf } from '../lookup/cursor.ts';
import type { Citation } from './citation.ts';
import type { ToolContext } from './call-endpoint.ts';
import { fenced } from './markdown.ts';

/** The answer of a tool: a text for a model, and the same facts as JSON. */
export interface ToolAnswer {
  readonly text: string;
  readonly structured: Readonly<Record<string, unknown>>;
}

/** A list of items, with everything else that an answer shows. */
interface Draft<Item> {
  readonly items: readonly Item[];
  /** Position of the first item in the whole list. */
  readonly offset: number;
  /** Length of the whole list. */
  readonly total: number;
  /** Sentences that a reader must see first. */
  readonly notices: readonly string[];
  /** Origin of all items; null if they differ or there are none. */
  readonly origin: Origin | null;
  readonly citation: Citation;
  /** Sentence that introduces the list, such as `Records 1–20 of 60 of the dataset file_15012896.` */
  readonly summary: (shown: number) => string;
  /** Formats items, as lines of text and as JSON; texts are cut to `lengthMax` characters. */
  readonly show: (items: readonly Item[], lengthMax: number) => ShownItems;
  /** Lines that Maru adds after the data. */
  readonly remarks?: readonly string[];
}

interface ShownItems {
  readonly lines: readonly string[];
  readonly members: Readonly<Record<string, unknown>>;
}

/** Longest text of an answer, in characters. */
export const textLengthMax = 6_000;

/** Writes an answer with as many items as its length allows; a cursor leads to the others. */
export function boundedAnswer<Item>(
  draft: Draft<Item>,
  page: Page,
  context: ToolContext,
): ToolAnswer {
  const { items } = draft;
  const enough = Math.min(items.length, itemsMin);
  for (const cellMax of cellLengths) {
    const shown = longestFitting(items.length, (count) => {
      return write(draft, count, cellMax, page, context).text.length <= textLengthMax;
    });
    const isLast = cellMax === cellLengths.at(-1);
    if (shown >= enough || isLast) return write(draft, shown, cellMax, page, context);
  }
  throw new Error('`cellLengths` is empty.');
}

/** Lengths to which texts of cells are cut: the first with which at least `itemsMin` items fit. */
const cellLengths = [160, 60, 24];
const itemsMin = 3;

/** The greatest number of items that fits. */
function longestFitting(count: number, fits: (count: number) => boolean): number {
  if (fits(count)) return count;
  let [low, high] = [0, count - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

function write<Item>(
  draft: Draft<Item>,
  count: number,
  cellMax: number,
  page: Page,
  { store }: ToolContext,
): ToolAnswer {
  const { offset, total, origin, citation } = draft;
  const shown = draft.show(draft.items.slice(0, count), cellMax);
  const end = offset + count;
  const cursor = end < total && count > 0 ? cursorAt(end, page.query) : null;
  const notices = draft.origin === 'sample' ? [sampleNotice, ...draft.notices] : draft.notices;
  const notice = notices.length === 0 ? null : notices.join(' ');
  const cites = [`출처: ${citation.ko}`, `Source: ${citation.en}`];
  const lines = [
    ...(notice === null ? [] : [notice]),
    draft.summary(count),
    ...fenced([...shown.lines, ...cites]),
    ...(draft.remarks ?? []),
    `Origin: ${origin ?? 'see each item'}. Snapshot: ${store.snapshot.id}.`,
    ...(cursor === null
      ? []
      : [`More: ${total - end} not shown. Repeat the call with cursor "${cursor}".`]),
  ];
  const { id: snapshot } = store.snapshot;
  const structured = { notice, ...shown.members, origin, snapshot, citation, cursor };
  return { text: lines.join('\n'), structured };
}

const sampleNotice =
  'SAMPLE DATA ONLY (예시): all of this was invented by Maru’s sample portal. Do not report it as fact.';

/** The part of a list that the arguments of a tool select. */
interface Page {
  readonly limit: number;
  readonly offset: number;
  /** Identity of the list: a cursor holds only for the same snapshot, tool and arguments. */
  readonly query: string;
}

/** Reads `limit` and `cursor`. Throws 400 `stale_cursor` for a cursor of another snapshot or of other arguments. */
export function readPage(
  tool: ToolName,
  given: PageArguments,
  { store }: ToolContext,
  limit: { readonly default: number; readonly maximum: number },
): Page {
  const { limit: requested = limit.default, cursor, ...rest } = given;
  if (requested < 0) {
    throw new Problem('invalid_parameter', {
      ko: 'limit은 0 이상입니다. 0이면 건수만 셉니다.',
      en: 'limit must be at least 0. With 0 the tool only counts.',
    });
  }
  const { id, builtAt } = store.snapshot;
  const query = JSON.stringify([id, builtAt, tool, Object.entries(rest).toSorted(byName)]);
  return {
    limit: Math.min(requested, limit.maximum),
    offset: cursor === undefined ? 0 : positionOf(cursor, query),
    query,
  };
}

interface PageArguments {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

function byName([one]: [string, unknown], [other]: [string, unknown]): number {
  return one < other ? -1 : 1;
}
