import type { StoredAxis } from '../../data/axis.ts';
import type { FindingCounts } from '../../data/finding.ts';
import { FileRefused } from '../../ingest/files/refused.ts';
import { PortalError } from '../client/portal-error.ts';
import { runLimits } from './limits.ts';

/** The finding of a gate, with a sentence for operators. */
export interface GateFinding {
  readonly kind: GateKind;
  readonly count: number;
  readonly detail: string;
}

/**
 * Action for each finding: `publish` the new data with a warning, or `keep` serving the previous data. The first
 * data of an axis is published in either case.
 */
export const gateRules = {
  /** No record was collected where there are some; every zero was confirmed by a second request. */
  no_records: 'keep',
  /** More records than `lossShareMax` are gone at once. */
  rows_lost: 'keep',
  /** The same loss in two runs: it is believed. */
  rows_lost_twice: 'publish',
  /** Fields that most records had are missing from every response. */
  fields_missing: 'keep',
  /** Unknown fields; they are stored with the others. */
  fields_new: 'publish',
  /** Positions outside the country, more than `misplacedShareMax` of them. */
  coordinates_abroad: 'keep',
  /** A few positions outside the country. */
  coordinates_odd: 'publish',
  /** Records that lost their region, more than `misplacedShareMax` of them. */
  regions_unknown: 'keep',
  /** Different records under one natural key. */
  duplicate_keys: 'publish',
  /** More requests than `refusedShareMax` were refused for good. */
  half_refused: 'keep',
  /** A few requests were refused for good. */
  questions_refused: 'publish',
  /** Records of one key from several requests differ; the first of each is stored. */
  keys_merged: 'publish',
  /** Records with bytes that are no text, the same in every copy. */
  text_damaged: 'publish',
  /** Pages never added up to the total that the portal counts. */
  count_mismatch: 'publish',
  /** Rows that are no record; not stored. */
  rows_refused: 'publish',
  /** Records stored without a value that could not be read. */
  values_unreadable: 'publish',
  /** Anchors of the demand ranking that are too far apart to carry an index well. */
  ladder_gap: 'publish',
  /** The list changed while it was paged: a record may be missing until the next collection. */
  list_moved: 'publish',
  /** The collection ended before its last request. */
  not_collected: 'keep',
  /** The quota of the day is spent; the run is resumed by itself. */
  waiting_for_quota: 'keep',
  /** The agency has the file on a page of its own. */
  agency_hosted: 'keep',
  /** The file requires a sign-in. */
  restricted: 'keep',
  /** The portal has no file for the dataset. */
  no_file: 'keep',
  /** The downloaded file has no data, or is not whole. */
  unreadable: 'keep',
  /** Rows that differ from their header, totals, notes, parts that are not stored. */
  read_oddly: 'publish',
  /** Earlier versions of a file that could not be downloaded. */
  history_incomplete: 'publish',
} as const satisfies Record<string, 'publish' | 'keep'>;

export type GateKind = keyof typeof gateRules;

/** Facts about a collection that the gates need. */
export interface CollectionFacts {
  readonly written: StoredAxis;
  readonly accumulates: boolean;
  readonly requests: number;
  readonly refused: number;
  readonly refusedExample: string | null;
  /** Rows by which pages and totals differ. */
  readonly mismatch: number;
  /** Requests whose list changed while it was paged, and the lowest and highest total of the first. */
  readonly moved: number;
  readonly movedExample: readonly [number, number] | null;
  readonly duplicateKeys: number;
  /** Records dropped for one of the same key, with other values, from another request. */
  readonly mergedKeys: number;
  readonly damaged: number;
  readonly fieldsNew: readonly string[];
  /** Fields that no response has, not even empty. */
  readonly fieldsMissing: readonly string[];
  /** Records with a position, and those outside the country. */
  readonly positions: number;
  readonly abroad: number;
  /** Records that name a known region, new and previous, by the previous fields. */
  readonly places: NamedPlaces | null;
  readonly placesBefore: NamedPlaces | null;
}

export interface NamedPlaces {
  readonly records: number;
  readonly known: number;
}

/** Compares new data with the served axis. `lostBefore`: records that the previous run found lost. */
export function inspect(
  facts: CollectionFacts,
  served: StoredAxis | null,
  lostBefore: number,
): GateFinding[] {
  return [
    ...rowsFindings(facts, served, lostBefore),
    ...fieldFindings(facts, served),
    ...placeFindings(facts),
    ...answerFindings(facts),
  ];
}

/** Counted findings, each kind with the detail of its first. */
export function gateFindings(found: FindingCounts<GateKind, string>): GateFinding[] {
  return found.all().map(({ kind, count, examples }) => finding(kind, count, examples[0] ?? ''));
}

/** The findings because of which the previous data stays. */
export function blocking(findings: readonly GateFinding[]): GateFinding[] {
  return findings.filter(({ kind }) => gateRules[kind] === 'keep');
}

/** The finding that an error is, where a collection ended with one. */
export function kindOfError(error: Error): GateKind {
  if (error instanceof FileRefused) {
    return error.code === 'empty' || error.code === 'no_records' ? 'no_records' : 'unreadable';
  }
  if (!(error instanceof PortalError)) return 'not_collected';
  if (error.class === 'quota') return 'waiting_for_quota';
  const named = ['agency_hosted', 'restricted', 'no_file'] as const;
  return named.find((kind) => kind === error.code) ?? 'not_collected';
}

function rowsFindings(
  { written, accumulates }: CollectionFacts,
  served: StoredAxis | null,
  lostBefore: number,
): GateFinding[] {
  const before = served?.rows ?? 0;
  if (written.rows === 0) {
    if (before === 0) return [];
    return [finding('no_records', before, `No record was collected where ${before} are served.`)];
  }
  const lost = before - written.rows;
  if (accumulates || lost <= before * runLimits.lossShareMax) return [];
  const detail = `${lost} of ${before} records are gone.`;
  return [finding(lossKind(lost, lostBefore), lost, detail)];
}

/** Compares a loss with that of the previous run: one that has grown is another loss. */
export function lossKind(lost: number, lostBefore: number): 'rows_lost' | 'rows_lost_twice' {
  return lost <= lostBefore * sameLossFactor ? 'rows_lost_twice' : 'rows_lost';
}

const sameLossFactor = 1.1;

function fieldFindings(
  { written, fieldsNew, fieldsMissing }: CollectionFacts,
  served: StoredAxis | null,
): GateFinding[] {
  const findings: GateFinding[] = [];
  if (fieldsNew.length > 0) {
    const detail = `Unknown fields: ${shown(fieldsNew)}.`;
    findings.push(finding('fields_new', fieldsNew.length, detail));
  }
  if (served === null || written.rows === 0) return findings;
  const usual = served.fields.filter(({ stats }) => stats.nonNull * 2 > served.rows);
  const gone = usual.filter(({ name }) => fieldsMissing.includes(name)).map(({ name }) => name);
  if (gone.length > 0) {
    const detail = `Fields are missing from every response: ${shown(gone)}.`;
    findings.push(finding('fields_missing', gone.length, detail));
  }
  return findings;
}

function placeFindings({
  written,
  positions,
  abroad,
  places,
  placesBefore,
}: CollectionFacts): GateFinding[] {
  const findings: GateFinding[] = [];
  if (abroad > 0) {
    const isMany = isLarge(abroad, positions);
    const detail = `${abroad} of ${positions} positions lie outside the country.`;
    findings.push(finding(isMany ? 'coordinates_abroad' : 'coordinates_odd', abroad, detail));
  }
  const lost = written.rows === 0 ? 0 : placesLost(places, placesBefore);
  if (isLarge(lost, places?.records ?? 0)) {
    const detail = `${lost} of ${places?.records} records looked at name no region that is known, and did before.`;
    findings.push(finding('regions_unknown', lost, detail));
  }
  return findings;
}

/** Records that name a known region, fewer than by the previous share. */
function placesLost(places: NamedPlaces | null, before: NamedPlaces | null): number {
  if (places === null || before === null || before.records === 0) return 0;
  return Math.round((before.known / before.records) * places.records) - places.known;
}

function answerFindings(facts: CollectionFacts): GateFinding[] {
  const { refused, refusedExample, requests, mismatch, moved, movedExample, duplicateKeys } = facts;
  const findings: GateFinding[] = [];
  if (refused > 0) {
    const kind =
      refused > requests * runLimits.refusedShareMax ? 'half_refused' : 'questions_refused';
    const example = refusedExample === null ? '' : ` First: ${refusedExample}`;
    const detail = `${refused} of ${requests} requests were refused.${example}`;
    findings.push(finding(kind, refused, detail));
  }
  if (mismatch > 0) {
    const detail = `The pages differ from the portal’s totals by ${mismatch} records.`;
    findings.push(finding('count_mismatch', mismatch, detail));
  }
  if (moved > 0) {
    const [least, most] = movedExample ?? [0, 0];
    const detail =
      `${moved} of ${requests} lists changed while they were paged, the first between ${least} and ` +
      `${most} records; the next collection brings what slipped through.`;
    findings.push(finding('list_moved', moved, detail));
  }
  if (duplicateKeys > 0) {
    const detail = `${duplicateKeys} records have the natural key of another; all are stored.`;
    findings.push(finding('duplicate_keys', duplicateKeys, detail));
  }
  if (facts.mergedKeys > 0) {
    const detail = `${facts.mergedKeys} records differ from one of the same key in an earlier response, which is stored.`;
    findings.push(finding('keys_merged', facts.mergedKeys, detail));
  }
  if (facts.damaged > 0) {
    const detail = `${facts.damaged} records have bytes that are no text, the same in every copy.`;
    findings.push(finding('text_damaged', facts.damaged, detail));
  }
  return findings;
}

function isLarge(count: number, of: number): boolean {
  return of >= runLimits.shareRowsMin && count > of * runLimits.misplacedShareMax;
}

function shown(names: readonly string[]): string {
  return names.slice(0, 5).join(', ') + (names.length > 5 ? ' …' : '');
}

function finding(kind: GateKind, count: number, detail: string): GateFinding {
  return { kind, count, detail };
}
