import { isObject, parseRecord, type JsonRecord } from './json-record.ts';
import type { JsonSurvey } from './json-survey.ts';
import type { FileLimits } from './limits.ts';
import { isErrorCode, portalError } from './portal-error.ts';
import { FileRefused } from './refused.ts';
import type { ByteSource } from './source.ts';
import type { Encoding } from './table.ts';
import { readTextHead } from './text.ts';

/** A text without any array of objects: an error, an empty answer, or one record by itself. */
export async function singleRecord(
  source: ByteSource,
  encoding: Encoding,
  survey: JsonSurvey,
  limits: FileLimits,
): Promise<JsonRecord> {
  const { name } = source;
  const code = scalarNamed(survey, codeNames);
  const message = scalarNamed(survey, messageNames) ?? '';
  if (code !== null && isErrorCode(code)) {
    throw portalError(name, { code, message });
  }
  const { text, whole } = await readTextHead(source, encoding, limits.documentUnitsMax);
  const document = whole ? parseRecord(text, null) : null;
  const members = document === null ? null : innermost(document.members);
  if (document !== null && members !== null) return { ...document, members };
  if (code !== null || isAnswer(survey, document)) {
    throw new FileRefused('no_records', `${name} is a proper answer that holds no record.`);
  }
  throw new FileRefused(
    'not_a_table',
    `${name} is JSON, but holds no list of objects that could be rows; write it as [{"name": value, …}, …].`,
  );
}

/** Whether a text is the frame of an answer, with its counts, around records that are not there. */
function isAnswer({ scalars }: JsonSurvey, document: JsonRecord | null): boolean {
  if (document !== null && envelopeNames.some((name) => name in document.members)) return true;
  return [...scalars.keys()].some((path) => countNames.test(path));
}

/** One row arrives as an object where several would be an array. */
function innermost(
  members: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> | null {
  const envelope = envelopeNames.find((name) => name in members);
  if (envelope !== undefined) {
    const inner = members[envelope];
    return isObject(inner) ? innermost(inner) : null;
  }
  if ('header' in members || Object.keys(members).length === 0) return null;
  return Object.values(members).some(isScalar) ? members : null;
}

function isScalar(value: unknown): boolean {
  return value !== null && !isObject(value) && !Array.isArray(value);
}

const envelopeNames = ['response', 'body', 'items', 'item', 'records', 'data'];
const codeNames = /(?:^|\.)(?:resultCode|returnReasonCode|RESULT\.CODE|errorCode|code)$/u;
const countNames = /(?:^|\.)(?:(?:list_?)?total_?count|numOfRows|pageNo|count)$/iu;
const messageNames =
  /(?:^|\.)(?:resultMsg|returnAuthMsg|RESULT\.MESSAGE|errorMessage|msg|message)$/u;

function scalarNamed({ scalars }: JsonSurvey, pattern: RegExp): string | null {
  for (const [path, raw] of scalars) {
    if (pattern.test(path)) return raw.replace(/^"|"$/gu, '');
  }
  return null;
}
