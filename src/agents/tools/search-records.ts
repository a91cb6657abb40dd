import type { Static } from 'typebox';
import { lookupContract } from '../../contract/lookup.ts';
import { pageContract } from '../../contract/pages.ts';
import { toolLimitMax, type tools } from '../../contract/tools.ts';
import type { Origin } from '../../data/axis.ts';
import { counted } from '../../kernel/counted.ts';
import { search } from '../../lookup/endpoints/search.ts';
import { requireAxis } from '../../lookup/refusals.ts';
import { boundedAnswer, readPage, type ToolAnswer } from '../answer.ts';
import { callEndpoint, type ToolContext } from '../call-endpoint.ts';
import { datasetCitation, snapshotCitation } from '../citation.ts';
import { cutText, oneLine } from '../markdown.ts';
import { noticesOf, quotable } from '../notices.ts';
import { originOfAll } from '../origin-of-all.ts';
import { recordPage, searchPage } from '../page-links.ts';
import { regionValues } from './axis-query.ts';

type Arguments = Static<typeof tools.search_records.input>;

/** Searches the text of records, of all datasets or one, everywhere or in one region. */
export async function searchRecords(given: Arguments, context: ToolContext): Promise<ToolAnswer> {
  const page = readPage('search_records', given, context, { default: 10, maximum: toolLimitMax });
  const { q, axis, region } = given;
  const { limit, offset } = page;
  const stored = axis === undefined ? null : requireAxis(axis, context.store);
  const place = region === undefined ? {} : regionValues(region, context.store);
  const values = { q, axis, ...place, limit, offset };
  const found = await callEndpoint(lookupContract.search, search, values, context);
  const { total, totalRelation, next } = found;
  const datasets = found.facets.axis.map(({ axis: code, title, count }) => ({
    axis: code,
    title,
    count,
    origin: context.store.axes.get(code)!.axis.origin,
  }));
  const end = offset + found.items.length;
  const draft = {
    origin: originOfAll(datasets.map(({ origin }) => origin)),
    citation:
      stored === null
        ? snapshotCitation(searchPage([region, q], context), context)
        : datasetCitation(stored, context),
    items: found.items.map(hitOf),
    offset,
    // Records with the same name are one hit, so the list is shorter than the total.
    total: next === null ? end : Math.max(total, end + 1),
    notices: [
      ...(total === 0 ? [emptyNotice(found.suggestions)] : []),
      ...noticesOf(found.warnings, { requested: given.limit, maximum: toolLimitMax }),
    ],
    summary: (shown: number) =>
      `${totalRelation === 'gte' ? 'At least ' : ''}${counted(total, 'record')} with “${quotable(q)}”, in ${counted(found.facets.axisTotal, 'dataset')}; ${shown} shown.`,
    show: (shown: readonly Hit[], lengthMax: number) => {
      const counts = datasets.slice(0, datasetsMax);
      const hits = shown.map((hit) => ({
        ...hit,
        title: hit.title === null ? null : cutText(hit.title, lengthMax),
        matches: hit.matches.map((match) => cutText(oneLine(match), lengthMax)),
      }));
      const items = hits.map(({ id, ...item }) => ({
        ...item,
        record: recordPage(item.axis, id, context),
      }));
      return {
        lines: [
          ...counts.map(
            ({ axis: code, title, count, origin }) =>
              `- ${count} in ${title} (${code}, ${origin === 'sample' ? 'sample 예시' : origin})`,
          ),
          ...hits.map(hitLine),
        ],
        members: { q, datasets: counts, items, total, totalRelation },
      };
    },
    remarks:
      found.items.length === 0
        ? []
        : [`Page of a record: ${context.baseUrl}${pageContract.record.path}`],
  };
  return boundedAnswer(draft, page, context);
}

interface Hit {
  readonly axis: string;
  readonly id: string;
  readonly title: string | null;
  readonly origin: Origin;
  /** Number of further records with the same name; they are not listed. */
  readonly more: number;
  /** Matching texts, each after the label of its field. */
  readonly matches: readonly string[];
}

const datasetsMax = 10;
const matchesMax = 3;

type FoundItem = Static<(typeof lookupContract.search.answers)[200]>['items'][number];

function hitOf({ axis, title, origin, more, matches, links }: FoundItem): Hit {
  return {
    axis,
    id: new URL(links.record, 'http://localhost').searchParams.get('id')!,
    title,
    origin,
    more,
    matches: matches.slice(0, matchesMax).map(({ label, snippet }) => `${label}: ${snippet}`),
  };
}

function hitLine({ axis, id, title, origin, more, matches }: Hit): string {
  const mark = origin === 'sample' ? ' (sample 예시)' : '';
  const others = more === 0 ? '' : ` (and ${more} more of this name)`;
  return `- ${title ?? 'record'} [${axis} ${id}]${mark}${others}: ${matches.join('; ')}`;
}

function emptyNotice(suggestions: readonly string[]): string {
  const other = suggestions.slice(0, 3).map((text) => `“${text}”`);
  const hint = other.length === 0 ? '' : ` Try ${other.join(', ')}.`;
  return `Nothing found.${hint} Try fewer or shorter words, no region, or find_datasets for the topic.`;
}
