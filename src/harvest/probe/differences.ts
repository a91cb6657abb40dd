import { isObject, parseObject } from '../../kernel/json-object.ts';
import type { AxisDefinition } from '../operations/definition.ts';
import type { PortalAnswer } from '../protocol/answer.ts';
import type { AnswerRows } from '../protocol/rows.ts';
import { listNames } from '../runs/request-failed.ts';

/** A point in which an answer of the portal differs from the definition. */
export interface Difference {
  readonly kind: 'operation' | 'total' | 'page_size' | 'fields' | 'labels' | 'quota';
  /** One sentence. */
  readonly detail: string;
}

/** Compares the first page of an operation with its definition. */
export function findDifferences(
  axis: AxisDefinition,
  answer: PortalAnswer,
  page: AnswerRows,
  quotaHeaders: Readonly<Record<string, string>>,
): Difference[] {
  const { total } = answer;
  const { pageSize } = axis.paging;
  const rows = page.rows.length;
  const differences: Difference[] = [];
  if (total === null && rows > 0) {
    differences.push({ kind: 'total', detail: 'The answer has no total.' });
  }
  const isShort = rows > 0 && total !== null && rows < Math.min(pageSize, total);
  if (isShort || rows > pageSize) {
    const detail = `A page has ${rows} rows, although ${pageSize} were requested.`;
    differences.push({ kind: 'page_size', detail });
  }
  const unknownNames = shortList(page.unknownFields);
  const missingNames = shortList(page.missingFields);
  if (unknownNames !== '') {
    const detail = `The definition lacks the fields ${unknownNames}.`;
    differences.push({ kind: 'fields', detail });
  }
  if (missingNames !== '') {
    differences.push({ kind: 'fields', detail: `The answer lacks the fields ${missingNames}.` });
  }
  differences.push(...labelDifferences(axis, answer), ...quotaDifferences(axis, quotaHeaders));
  return differences;
}

/** Compares labels where the answer has them: SBIZ lists them in its header, in no certain order. */
function labelDifferences({ fields }: AxisDefinition, answer: PortalAnswer): Difference[] {
  const labels = labelsIn(answer);
  if (labels.length === 0) return [];
  const defined = new Set(fields.map(({ label }) => label));
  const unknownLabels = labels.filter((label) => !defined.has(label));
  const missingLabels = [...defined].filter((label) => !labels.includes(label));
  const lists = [
    unknownLabels.length === 0
      ? null
      : `The definition lacks the labels ${shortList(unknownLabels)}.`,
    missingLabels.length === 0 ? null : `The answer lacks the labels ${shortList(missingLabels)}.`,
  ];
  return lists.flatMap((detail) => (detail === null ? [] : [{ kind: 'labels' as const, detail }]));
}

function labelsIn({ body, format }: PortalAnswer): string[] {
  if (format !== 'json') return [];
  const header = parseObject(Buffer.from(body).toString('utf8'))?.['header'];
  const columns = isObject(header) ? header['columns'] : undefined;
  return Array.isArray(columns) ? columns.slice(0, labelsMax).map(String) : [];
}

/** Labels of an answer that are compared; SBIZ has 39. */
const labelsMax = 1_000;

/** Lists the first names, each shortened, since they come from outside. */
function shortList(names: readonly string[]): string {
  return listNames(names.map((name) => name.slice(0, nameLengthMax)));
}

const nameLengthMax = 60;

function quotaDifferences(
  { dailyQuota }: AxisDefinition,
  headers: Readonly<Record<string, string>>,
): Difference[] {
  const limit = Object.entries(headers).find(([name]) =>
    /limit(?!.*(?:remaining|reset))/i.test(name),
  );
  const count = Number(limit?.[1] ?? '');
  if (limit === undefined || !Number.isInteger(count) || count <= 0 || count === dailyQuota) {
    return [];
  }
  return [
    { kind: 'quota', detail: `${limit[0]} is ${count}; the definition has ${dailyQuota} a day.` },
  ];
}
