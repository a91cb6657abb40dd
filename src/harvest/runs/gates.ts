import type { Field, StoredAxis } from '../../data/axis.ts';
import type { FindingCounts } from '../../data/finding.ts';
import { FileRefused } from '../../ingest/files/refused.ts';
import { PortalError } from '../client/portal-error.ts';
import { isMostlyDamaged } from './damaged-text.ts';
import { runLimits } from './limits.ts';
import { listNames } from './request-failed.ts';

/** The finding of a gate, with a sentence for operators. */
export interface GateFinding {
  readonly kind: GateKind;
  readonly count: number;
  readonly detail: string;
}

/**
 * Rule for each finding: `publish` the new data with a warning, or `keep` serving the previous data. The first data of
 * an axis is published under both rules; `refuse` publishes nothing.
 */
export const gateRules = {
  /** No record was collected although some are served; a second request confirmed each empty response. */
  no_records: 'keep',
  /** No record was collected for an axis that has no records yet, and that is never empty for a day. */
  no_records_yet: 'refuse',
  /** More records than `lossShareMax` are gone at once. */
  rows_lost: 'keep',
  /** The same loss in two runs, which counts as real. */
  rows_lost_twice: 'publish',
  /** Fields that most records had are missing from every response, or are being renamed. */
  fields_missing: 'keep',
  /** Many requests got nearly all the same answer, whatever their parameters. */
  answers_same: 'refuse',
  /** More than `missingShareMax` of the requests got the answer of another request. */
  answers_crossed: 'keep',
  /** A few requests got the answer of another request. */
  few_answers_crossed: 'publish',
  /** Unknown fields; they are stored with the others. */
  fields_new: 'publish',
  /** More than `misplacedShareMax` of the positions are outside the country. */
  coordinates_abroad: 'keep',
  /** A few positions outside the country. */
  coordinates_odd: 'publish',
  /** More than `misplacedShareMax` of the records lost their region. */
  regions_unknown: 'keep',
  /** Different records under one natural key. */
  duplicate_keys: 'publish',
  /** More requests or pages than `unansweredShareMax` were refused for good, or failed in `failedRunsMax` runs. */
  many_refused: 'keep',
  /** A few requests or pages were refused for good, or failed in `failedRunsMax` runs. */
  few_refused: 'publish',
  /** Records of one key from several requests differ; the first of each is stored. */
  keys_merged: 'publish',
  /** Records contain bytes that are not valid text, in every copy. */
  text_damaged: 'publish',
  /** More than `damagedShareMax` of the records contain such bytes, and a smaller share of the served records does. */
  text_lost: 'keep',
  /** Pages were broken JSON in two attempts; missing escapes were added to their strings. */
  json_mended: 'publish',
  /** Pages have a few rows more or fewer than the total that the portal counts. */
  count_mismatch: 'publish',
  /** More than `missingShareMax` of the rows that the portal counts are missing, also from the served data. */
  rows_partly_missing: 'publish',
  /** More than `missingShareMax` of the rows that the portal counts are missing, but not from the served data. */
  rows_missing: 'keep',
  /** More than `missingFirstShareMax` of the rows that the portal counts are missing from an axis’s first data. */
  rows_mostly_missing: 'refuse',
  /** Rows that are not records; they are not stored. */
  rows_refused: 'publish',
  /** Records stored without a value that could not be read. */
  values_unreadable: 'publish',
  /** Anchors of the demand ranking that are too far apart to carry an index well. */
  ladder_gap: 'publish',
  /** The pages of a list state different totals: it changed while it was read, or a page comes from another state. */
  list_moved: 'publish',
  /** The collection ended before all requests were answered. */
  not_collected: 'keep',
  /** The quota of the day is spent; the run resumes on its own. */
  waiting_for_quota: 'keep',
  /** Only the agency offers the file, on its own site. */
  agency_hosted: 'keep',
  /** The file requires a sign-in. */
  restricted: 'keep',
  /** The portal has no file for the dataset. */
  no_file: 'keep',
  /** The downloaded file has no data, or is incomplete. */
  unreadable: 'keep',
  /** A file has rows that do not fit its header, rows of totals or notes, or content that is not stored. */
  read_oddly: 'publish',
  /** Tables of an earlier version of a file are missing from this version; they stay served. */
  tables_gone: 'publish',
  /** Earlier versions of a file that could not be downloaded. */
  history_incomplete: 'publish',
} as const satisfies Record<string, 'publish' | 'keep' | 'refuse'>;

export type GateKind = keyof typeof gateRules;

/** Facts about a collection that the gates compare. */
export interface CollectionFacts extends UnansweredFacts {
  readonly written: StoredAxis;
  readonly accumulates: boolean;
  /** True for an axis whose source may have no record for a while, such as warnings of the hour. */
  readonly mayBeEmpty: boolean;
  /** Rows that the portal counts, and by how many the pages have fewer or more. */
  readonly totalRows: number;
  readonly missing: number;
  readonly surplus: number;
  /** Further rows that are missing if the highest totals of changed lists are right. */
  readonly possiblyMissing: number;
  /** Requests whose list changed while its pages were read, with the lowest and highest total of the first. */
  readonly changedLists: number;
  readonly changedListTotals: readonly [least: number, most: number] | null;
  readonly duplicateKeys: number;
  /** Records that were dropped, since another request returned their key with other values. */
  readonly mergedKeys: number;
  readonly damaged: number;
  /** Served records with damaged text; 0 unless the share of `damaged` is large. */
  readonly previousDamaged: number;
  /** Pages whose JSON was mended. */
  readonly mendedPages: number;
  /** Requests with records, and how many different answers they got. */
  readonly answers: number;
  readonly differentAnswers: number;
  /** Requests that got the answer of another request. */
  readonly crossedAnswers: number;
  readonly fieldsNew: readonly string[];
  /** Fields that are absent from every response. */
  readonly fieldsMissing: readonly string[];
  /** Records with a position, and those outside the country. */
  readonly positions: number;
  readonly positionsAbroad: number;
  /** Records that name a known region in a field of the previous data: in the new and in the previous data. */
  readonly namedPlaces: NamedPlaces | null;
  readonly previousPlaces: NamedPlaces | null;
}

/** Requests and pages that were refused, or that failed in several runs while others were answered. */
export interface UnansweredFacts {
  readonly requests: number;
  readonly unanswered: number;
  /** Number of all pages of the answered requests; `pagesAbsent` of them are missing. */
  readonly pages: number;
  readonly pagesAbsent: number;
  /** Names of these requests and pages. */
  readonly unansweredNames: readonly string[];
  readonly unansweredExample: string | null;
}

/** Number of records in a sample, and number of those that name a known region. */
export interface NamedPlaces {
  readonly records: number;
  readonly withRegion: number;
}

/** Compares new data with the served axis. `previousLoss`: number of records missing in the previous run. */
export function inspectCollection(
  facts: CollectionFacts,
  served: StoredAxis | null,
  previousLoss: number,
): GateFinding[] {
  const missing = missingFindings(facts, served);
  return [
    // A loss that the portal's own total contradicts is not accepted, even in the second run.
    ...(blockingFindings(missing).length > 0 ? [] : rowsFindings(facts, served, previousLoss)),
    ...missing,
    ...fieldFindings(facts, served),
    ...placeFindings(facts),
    ...requestFindings(facts),
    ...textFindings(facts, served),
  ];
}

/** Converts counted findings. Each gets the detail of the first of its kind. */
export function gateFindings(counts: FindingCounts<GateKind, string>): GateFinding[] {
  return counts.all().map(({ kind, count, examples }) => finding(kind, count, examples[0] ?? ''));
}

/** Findings for which the previous data stays; with `isFirst`, those for which the first data is not published. */
export function blockingFindings(findings: readonly GateFinding[], isFirst = false): GateFinding[] {
  return findings.filter(({ kind }) => {
    const rule: 'publish' | 'keep' | 'refuse' = gateRules[kind];
    return rule === 'refuse' || (rule === 'keep' && !isFirst);
  });
}

/** Kind of the finding for an error that ended a collection. */
export function kindOfError(error: Error): GateKind {
  if (error instanceof FileRefused) {
    return error.code === 'empty' || error.code === 'no_records' ? 'no_records' : 'unreadable';
  }
  if (!(error instanceof PortalError)) return 'not_collected';
  if (error.class === 'quota') return 'waiting_for_quota';
  const sameNames = ['agency_hosted', 'restricted', 'no_file'] as const;
  return sameNames.find((kind) => kind === error.code) ?? 'not_collected';
}

function rowsFindings(
  { written, accumulates, mayBeEmpty, requests }: CollectionFacts,
  served: StoredAxis | null,
  previousLoss: number,
): GateFinding[] {
  const servedRows = served?.rows ?? 0;
  if (written.rows === 0) {
    if (served === null && !mayBeEmpty) {
      const detail = `All ${requests} requests came back empty, also a second time.`;
      return [finding('no_records_yet', requests, detail)];
    }
    if (servedRows === 0) return [];
    const detail = `No record was collected, but ${servedRows} are served.`;
    return [finding('no_records', servedRows, detail)];
  }
  if (accumulates) return [];
  return judgeLoss(servedRows - written.rows, servedRows, previousLoss, 'records are gone');
}

/** Finding for rows that the portal counts, but that no page had. */
function missingFindings(
  { written, totalRows, missing, accumulates }: CollectionFacts,
  served: StoredAxis | null,
): GateFinding[] {
  if (missing === 0) return [];
  const servedRows = served?.rows ?? 0;
  const exceeds = (share: number): boolean => missing > totalRows * share;
  const lost = servedRows - written.rows;
  const isLoss = !accumulates && lost > servedRows * runLimits.missingShareMax;
  const isRefused = served === null && exceeds(runLimits.missingFirstShareMax);
  const many = isLoss ? 'rows_missing' : 'rows_partly_missing';
  const kind = exceeds(runLimits.missingShareMax) ? many : 'count_mismatch';
  const detail =
    `${missing} of ${totalRows} records that the portal counts are missing: pages are short, or repeat ` +
    'records of other pages.';
  return [finding(isRefused ? 'rows_mostly_missing' : kind, missing, detail)];
}

/** Finding for a large loss. A loss at most a tenth larger than the previous run's counts as the same loss. */
export function judgeLoss(
  lost: number,
  servedCount: number,
  previousLoss: number,
  lossText: string,
): GateFinding[] {
  if (lost <= servedCount * runLimits.lossShareMax) return [];
  const kind = lost <= previousLoss * sameLossFactor ? 'rows_lost_twice' : 'rows_lost';
  return [finding(kind, lost, `${lost} of ${servedCount} ${lossText}.`)];
}

const sameLossFactor = 1.1;

function fieldFindings(
  { written, fieldsNew, fieldsMissing }: CollectionFacts,
  served: StoredAxis | null,
): GateFinding[] {
  const findings: GateFinding[] = [];
  if (fieldsNew.length > 0) {
    const detail = `Unknown fields: ${listNames(fieldsNew)}.`;
    findings.push(finding('fields_new', fieldsNew.length, detail));
  }
  if (served === null || written.rows === 0) return findings;
  const absent = served.fields
    .filter(({ name, stats }) => stats.nonNull * 2 > served.rows && fieldsMissing.includes(name))
    .map(({ name }) => name);
  const missing = [...absent, ...fieldsBeingRenamed(written, served)];
  if (missing.length > 0) {
    const place = absent.length > 0 ? 'every response' : 'some records, while new fields appeared';
    const detail = `Fields are missing from ${place}: ${listNames(missing)}.`;
    findings.push(finding('fields_missing', missing.length, detail));
  }
  return findings;
}

/** Fields that nearly all records had and that many now lack, while there is a new field: two versions answer. */
function fieldsBeingRenamed(written: StoredAxis, served: StoredAxis): string[] {
  const servedCounts = new Map(served.fields.map(({ name, stats }) => [name, stats.nonNull]));
  const isNew = (field: Field): boolean => field.stats.nonNull > 0 && !servedCounts.has(field.name);
  if (!written.fields.some(isNew)) return [];
  const { missingShareMax, misplacedShareMax } = runLimits;
  return written.fields
    .filter(({ name, stats }) => {
      const wasFull = (servedCounts.get(name) ?? 0) > served.rows * (1 - missingShareMax);
      const isPartlyFull =
        stats.nonNull > 0 && stats.nonNull < written.rows * (1 - misplacedShareMax);
      return wasFull && isPartlyFull;
    })
    .map(({ name }) => name);
}

function placeFindings({
  written,
  positions,
  positionsAbroad,
  namedPlaces,
  previousPlaces,
}: CollectionFacts): GateFinding[] {
  const findings: GateFinding[] = [];
  if (positionsAbroad > 0) {
    const kind = isLarge(positionsAbroad, positions) ? 'coordinates_abroad' : 'coordinates_odd';
    const detail = `${positionsAbroad} of ${positions} positions are outside the country.`;
    findings.push(finding(kind, positionsAbroad, detail));
  }
  const lost = written.rows === 0 ? 0 : countLostPlaces(namedPlaces, previousPlaces);
  if (isLarge(lost, namedPlaces?.records ?? 0)) {
    const detail = `${lost} of ${namedPlaces?.records} sampled records no longer name a known region.`;
    findings.push(finding('regions_unknown', lost, detail));
  }
  return findings;
}

/** Number of records that would name a known region if their share were as in the previous data, but do not. */
function countLostPlaces(places: NamedPlaces | null, previous: NamedPlaces | null): number {
  if (places === null || previous === null || previous.records === 0) return 0;
  return Math.round((previous.withRegion / previous.records) * places.records) - places.withRegion;
}

function requestFindings(facts: CollectionFacts): GateFinding[] {
  const { requests, answers, differentAnswers, surplus, possiblyMissing, changedLists } = facts;
  const findings = unansweredFindings(facts);
  if (
    answers >= runLimits.shareRowsMin &&
    differentAnswers < answers * runLimits.differentShareMin
  ) {
    const detail = `${answers} requests have only ${differentAnswers} different answers: their parameters are ignored.`;
    findings.push(finding('answers_same', answers - differentAnswers, detail));
  }
  if (facts.crossedAnswers > 0) {
    const isMany = facts.crossedAnswers > answers * runLimits.missingShareMax;
    const detail =
      `${facts.crossedAnswers} of ${answers} requests got the answer of another one: all of their rows name its ` +
      'parameter. Their own records may be missing.';
    const kind = isMany ? 'answers_crossed' : 'few_answers_crossed';
    findings.push(finding(kind, facts.crossedAnswers, detail));
  }
  if (surplus > 0) {
    const detail = `The pages have ${surplus} records more than the portal’s totals.`;
    findings.push(finding('count_mismatch', surplus, detail));
  }
  if (changedLists > 0) {
    const [least, most] = facts.changedListTotals ?? [0, 0];
    const missing =
      possiblyMissing === 0 ? '' : ` Up to ${possiblyMissing} more records may be missing.`;
    const detail =
      `The pages of ${changedLists} of ${requests} lists state different totals, of the first between ${least} ` +
      `and ${most}: the list changed meanwhile, or its pages come from several states of it.${missing}`;
    findings.push(finding('list_moved', changedLists, detail));
  }
  if (facts.duplicateKeys > 0) {
    const detail = `${facts.duplicateKeys} records have the key of another record; all are stored.`;
    findings.push(finding('duplicate_keys', facts.duplicateKeys, detail));
  }
  if (facts.mergedKeys > 0) {
    const detail =
      `${facts.mergedKeys} records have the key of a record in an earlier response, but other values. ` +
      'The earlier record is stored.';
    findings.push(finding('keys_merged', facts.mergedKeys, detail));
  }
  return findings;
}

function textFindings(
  { written, damaged, previousDamaged, mendedPages }: CollectionFacts,
  served: StoredAxis | null,
): GateFinding[] {
  const findings: GateFinding[] = [];
  if (damaged > 0) {
    const wasBetter = served !== null && previousDamaged / served.rows < damaged / written.rows / 2;
    const kind = isMostlyDamaged(damaged, written.rows) && wasBetter ? 'text_lost' : 'text_damaged';
    const detail = `${damaged} of ${written.rows} records contain bytes that are not valid text, in every copy.`;
    findings.push(finding(kind, damaged, detail));
  }
  if (mendedPages > 0) {
    const detail =
      `${mendedPages} pages were the same broken JSON twice: quotes, line breaks or backslashes in their texts lack ` +
      'escapes, or values are NaN or Infinity. The texts were read as written, and the values as missing.';
    findings.push(finding('json_mended', mendedPages, detail));
  }
  return findings;
}

/** Finding for requests and pages without an answer. Missing pages count by their share of all pages. */
function unansweredFindings(facts: UnansweredFacts): GateFinding[] {
  const { requests, unanswered, pages, pagesAbsent, unansweredNames, unansweredExample } = facts;
  if (unanswered + pagesAbsent === 0) return [];
  const isMany =
    unanswered > requests * runLimits.unansweredShareMax ||
    pagesAbsent > pages * runLimits.unansweredShareMax;
  const missingPages = pagesAbsent === 0 ? '' : `${pagesAbsent} of ${pages} pages are missing. `;
  const missing = unanswered === 0 ? '' : `${unanswered} of ${requests} requests have no answer. `;
  const example = unansweredExample === null ? '' : ` First: ${unansweredExample}`;
  const detail =
    `${missing}${missingPages}They were refused, or failed in ${runLimits.failedRunsMax} runs while others were ` +
    `answered: ${listNames(unansweredNames)}.${example}`;
  return [finding(isMany ? 'many_refused' : 'few_refused', unanswered + pagesAbsent, detail)];
}

function isLarge(count: number, total: number): boolean {
  return total >= runLimits.shareRowsMin && count > total * runLimits.misplacedShareMax;
}

function finding(kind: GateKind, count: number, detail: string): GateFinding {
  return { kind, count, detail };
}
