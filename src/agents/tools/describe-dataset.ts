import type { Static } from 'typebox';
import type { tools } from '../../contract/tools.ts';
import type { Field, StoredAxis } from '../../data/axis.ts';
import { koreanDay } from '../../data/korean-time.ts';
import { counted } from '../../kernel/counted.ts';
import { requireAxis } from '../../lookup/refusals.ts';
import { boundedAnswer, readPage, type ToolAnswer } from '../answer.ts';
import type { ToolContext } from '../call-endpoint.ts';
import { cutText, cutValue, oneLine, table } from '../markdown.ts';
import { datasetPage } from '../page-links.ts';
import { datasetPart } from './axis-query.ts';

/** Fields, provenance and defects of one dataset. */
export function describeDataset(
  given: Static<typeof tools.describe_dataset.input>,
  context: ToolContext,
): ToolAnswer {
  const stored = requireAxis(given.axis, context.store);
  const limit = stored.fields.length;
  const bounds = { default: limit, maximum: limit };
  const page = readPage('describe_dataset', given, context, bounds);
  const { axis, rows, fields } = stored;
  const { freshnessRemark, freshness, ...part } = datasetPart(stored, context);
  const findings = findingsOf(stored);
  const { code, title, provider, license, sourceUrl } = axis;
  const pageOfDataset = datasetPage(code, context);
  const draft = {
    ...part,
    items: fields.slice(page.offset),
    offset: page.offset,
    total: fields.length,
    notices: rows === 0 ? ['The dataset has no records.'] : [],
    summary: (shown: number) =>
      `Dataset ${code}: ${counted(rows, 'record')}; fields ${page.offset + 1}–${page.offset + shown} of ${fields.length}.`,
    show: (shown: readonly Field[], lengthMax: number) => {
      const items = shown.map((field) => fieldItem(field, lengthMax));
      return {
        lines: [
          `# ${title}`,
          `Provider: ${provider?.name ?? 'unknown'}. Licence: ${license?.name ?? 'unknown'}. Key: ${axis.keyFields.join(', ') || 'none'}. Coordinates: ${stored.hasCoordinates ? 'yes' : 'no'}.`,
          ...table(
            ['field', 'label', 'type', 'role', 'values', 'distinct', 'range', 'examples'],
            items.map(fieldCells),
          ),
        ],
        members: {
          axis: code,
          title,
          rows,
          items,
          total: fields.length,
          provider: provider?.name ?? null,
          license,
          freshness,
          sourceModified: axis.sourceModified,
          collectedAt: axis.collectedAt,
          updateCycle: axis.updateCycle,
          keyFields: axis.keyFields,
          hasCoordinates: stored.hasCoordinates,
          findings,
          page: pageOfDataset,
          url: sourceUrl,
        },
      };
    },
    remarks: [
      `${freshnessRemark} Collected: ${koreanDay(axis.collectedAt)}. Update cycle: ${axis.updateCycle ?? 'unknown'}.`,
      ...listedRemark(stored),
      ...(findings.length === 0 ? [] : [`Known defects: ${findings.join('; ')}.`]),
      `Page: ${pageOfDataset}`,
      'In conditions, fields can be named by name or label; _sido, _sigungu and _total can be used as fields.',
    ],
  };
  return boundedAnswer(draft, page, context);
}

/** Sentence about the facts that only the portal's catalog states. */
function listedRemark({ axis, listed }: StoredAxis): string[] {
  if (listed === undefined) return [];
  const given = [
    ...(listed.hasProvider ? ['provider'] : []),
    ...(listed.hasLicense ? ['licence'] : []),
    ...(axis.sourceModified === null && listed.modified !== null
      ? [`last change of the source (${listed.modified})`]
      : []),
  ];
  if (given.length === 0) return [];
  const date = listed.date === null ? '' : ` of ${listed.date}`;
  return [`According to the portal's catalog${date}: ${given.join(', ')}.`];
}

function fieldItem({ name, label, type, role, unit, stats }: Field, lengthMax: number) {
  const { nonNull, distinct, min, max } = stats;
  return {
    name,
    label,
    type,
    role,
    unit,
    nonNull,
    distinct,
    min: cutBound(min, lengthMax),
    max: cutBound(max, lengthMax),
    examples: stats.examples.slice(0, 3).map((text) => cutText(oneLine(text), lengthMax / 2)),
  };
}

function cutBound(bound: number | string | null, lengthMax: number): number | string | null {
  // `cutValue` returns a number for a number and a string for a string.
  return cutValue(bound, lengthMax) as number | string | null;
}

function fieldCells(item: ReturnType<typeof fieldItem>): (string | number | null)[] {
  const { name, label, type, role, unit, nonNull, distinct, min, max, examples } = item;
  return [
    name,
    label === name ? '' : label,
    unit === null ? type : `${type} (${unit})`,
    role,
    nonNull,
    distinct,
    min === null && max === null ? '' : `${min ?? ''}…${max ?? ''}`,
    examples.join(' / '),
  ];
}

function findingsOf({ quality }: StoredAxis): string[] {
  return (quality?.findings ?? []).map(
    ({ kind, count, since }) => `${kind} ×${count} since ${koreanDay(since)}`,
  );
}
