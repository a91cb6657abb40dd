import type { Static } from 'typebox';
import { lookupContract } from '../../contract/lookup.ts';
import { toolLimitMax, type tools } from '../../contract/tools.ts';
import { fullName, regionByCode, type Region } from '../../data/regions/region-table.ts';
import { counted } from '../../kernel/counted.ts';
import { region as regionEndpoint } from '../../lookup/endpoints/region.ts';
import { boundedAnswer, readPage, type ToolAnswer } from '../answer.ts';
import { callEndpoint, type ToolContext } from '../call-endpoint.ts';
import { snapshotCitation } from '../citation.ts';
import { cutText, table } from '../markdown.ts';
import { noticesOf } from '../notices.ts';
import { regionPage } from '../page-links.ts';
import { requireRegion } from '../region-of.ts';
import { originOfAll } from '../origin-of-all.ts';

/** Describes a region: its history, and the datasets that have records there. */
export async function describeRegion(
  given: Static<typeof tools.describe_region.input>,
  context: ToolContext,
): Promise<ToolAnswer> {
  const page = readPage('describe_region', given, context, { default: 20, maximum: toolLimitMax });
  const { sido, sigungu, match } = requireRegion(given.region, context.store);
  const values = { sido, sigungu };
  const found = await callEndpoint(lookupContract.region, regionEndpoint, values, context);
  const region = match.former ?? match.sigungu ?? match.sido;
  const history = historyOf(region);
  const { items, total } = found;
  const { offset, limit } = page;
  const itemsOfPage = items.slice(offset, offset + limit);
  const name = fullName(region);
  const pageOfRegion = regionPage(region.code, context);
  const draft = {
    origin: originOfAll(itemsOfPage.map(({ origin }) => origin)),
    citation: snapshotCitation(pageOfRegion, context),
    items: itemsOfPage,
    offset,
    total: limit === 0 ? 0 : total,
    notices: [
      ...(total === 0 ? ['No dataset has records there. Try the 시도 that it is in.'] : []),
      ...noticesOf([...found.notices.flatMap(asWarning), ...(found.warnings ?? [])], {
        requested: given.limit,
        maximum: toolLimitMax,
      }),
    ],
    summary: (shown: number) =>
      `${name} (code ${region.code}${region.until === null ? '' : `, until ${region.until}`}): ${counted(total, 'dataset')} with records there; ${shown} shown, most records first.`,
    show: (shown: readonly (typeof items)[number][], lengthMax: number) => {
      const list = shown.map(({ axis, title, rows, share, origin }) => ({
        axis,
        title: cutText(title, lengthMax),
        rows,
        share,
        origin,
      }));
      return {
        lines: [
          ...history,
          ...table(
            ['axis', 'title', 'records there', 'share of the dataset', 'origin'],
            list.map(({ axis, title, rows, share, origin }) => [axis, title, rows, share, origin]),
          ),
        ],
        members: {
          region: {
            asked: given.region,
            name,
            code: region.code,
            sido: match.sido.name,
            level: region.level,
            since: region.since,
            formerNames: found.region?.sido.formerNames ?? [],
            isFormer: match.former !== null,
          },
          history,
          items: list,
          total,
          page: pageOfRegion,
        },
      };
    },
    remarks: [`Page: ${pageOfRegion}`],
  };
  return boundedAnswer(draft, page, context);
}

function asWarning(notice: Readonly<Record<string, unknown>>) {
  return typeof notice['code'] === 'string' ? [{ ...notice, code: notice['code'] }] : [];
}

/** Sentences about a region: its own code and dates, then each change from a predecessor or to a successor. */
function historyOf(region: Region): string[] {
  const { name, code, since, until } = region;
  const own = `${name}: code ${code} since ${since}${until === null ? '' : `, until ${until}`}.`;
  const before = linked(region.predecessors).map(
    ({ other, change }) => `${fullName(other)} (until ${other.until ?? ''}) ${change} ${name}.`,
  );
  const after = linked(region.successors).map(
    ({ other, change }) => `${name} ${change} ${fullName(other)} (since ${other.since}).`,
  );
  return [own, ...before, ...after];
}

function linked(links: Region['successors']) {
  return links.flatMap(({ code, kind }) => {
    const other = regionByCode(code);
    return other === undefined ? [] : [{ other, change: changes[kind] }];
  });
}

const changes = {
  '1:1': 'became',
  'n:1': 'was merged into',
  '1:n': 'was divided; one part is',
} as const;
