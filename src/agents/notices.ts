import type { Warning } from '../contract/route.ts';

/** Sentences for the warnings of an endpoint. `clamped` adds one if the requested limit was reduced. */
export function noticesOf(
  warnings: readonly Warning[] = [],
  clamped?: { readonly requested: number | undefined; readonly maximum: number },
): string[] {
  const { requested, maximum = 0 } = clamped ?? {};
  const limit =
    requested !== undefined && requested > maximum
      ? [`limit ${requested} was reduced to ${maximum}.`]
      : [];
  return [...limit, ...warnings.map(sentence)];
}

/** A text of a caller on one line, without backticks that could end a code block. */
export function quotable(text: string): string {
  return text.replace(/\s+/g, ' ').replaceAll('`', "'");
}

function sentence({ code, ...members }: Warning): string {
  const write = sentences[code];
  return write === undefined ? `Note ${code}: ${JSON.stringify(members)}.` : write(members);
}

const sentences: Readonly<Record<string, (members: Readonly<Record<string, unknown>>) => string>> =
  {
    former_region: ({ asked: region, until, now, divided }) =>
      `${String(region)} is a former region (until ${String(until)}); now ${list(now)}${
        divided === true ? ', among which it was divided' : ''
      }. Only its own part is counted.`,
    rows_undecided: ({ asked: region, rows, countedIn }) =>
      `${String(rows)} more records may belong to ${String(region)}; they are counted under ${list(countedIn)}.`,
    divided_before: ({ asked: region, former, rows }) =>
      `${String(rows)} records name only the former ${String(former)} and are not counted under ${String(region)}.`,
    terms_dropped: ({ used, dropped }) =>
      `Only ${String(used)} words were searched for; ignored: ${list(dropped)}.`,
    radius_clamped: ({ requested, used }) =>
      `radius ${String(requested)} was reduced to ${String(used)} metres.`,
  };

function list(values: unknown): string {
  return Array.isArray(values) ? values.map(String).join(', ') : String(values);
}
