import type { StoredAxis } from '../../data/axis.ts';
import { FileRefused } from '../../ingest/files/refused.ts';
import { PortalError } from '../client/portal-error.ts';
import { runLimits } from './limits.ts';

/** What a gate found, with a sentence for a person. */
export interface Finding {
  readonly kind: FindingKind;
  readonly count: number;
  readonly detail: string;
}

/**
 * What is done about a finding: `publish` what came and say so, or `keep` the last good data. Without any
 * data before, what came is published in either case.
 */
export const gateRules = {
  /** Nothing came where there were records; every zero was asked for twice already. */
  no_records: 'keep',
  /** More records went at once than `lossShareMax`. */
  rows_lost: 'keep',
  /** The same loss in two runs: the source did mean it. */
  rows_lost_twice: 'publish',
  /** Fields that most records had are in no answer any more. */
  fields_missing: 'keep',
  /** Fields nobody knew; they are held beside the others. */
  fields_new: 'publish',
  /** Positions outside the country, more than `misplacedShareMax` of them. */
  coordinates_abroad: 'keep',
  /** A few positions outside the country. */
  coordinates_odd: 'publish',
  /** Records that lost their region, more than `misplacedShareMax` of them. */
  regions_unknown: 'keep',
  /** Different records under one natural key. */
  duplicate_keys: 'publish',
  /** More questions were refused for good than `refusedShareMax`. */
  half_refused: 'keep',
  /** A few questions were refused for good. */
  questions_refused: 'publish',
  /** Records of one key came from several questions and differ; the first of each is held. */
  keys_merged: 'publish',
  /** Records with bytes that are no text, the same each time they were asked for. */
  text_damaged: 'publish',
  /** Pages never added up to the total that the portal counts. */
  count_mismatch: 'publish',
  /** Rows that are no record; not held. */
  rows_refused: 'publish',
  /** Records held without a value that could not be read. */
  values_unreadable: 'publish',
  /** Anchors of the demand ranking that are too far apart to carry an index well. */
  ladder_gap: 'publish',
  /** The list changed while it was paged: a record may be missing until the next collection. */
  list_moved: 'publish',
  /** The collection ended before everything was asked. */
  not_collected: 'keep',
  /** The day’s calls are spent; it goes on by itself. */
  waiting_for_quota: 'keep',
  /** The agency gives its file out on a page of its own. */
  agency_hosted: 'keep',
  /** The file is given to people who have signed in. */
  restricted: 'keep',
  /** The portal knows the dataset, or not even that, and has no file for it. */
  no_file: 'keep',
  /** What was downloaded is no data, or not whole. */
  unreadable: 'keep',
  /** Rows that were not as their header says, totals, notes, parts that are not held. */
  read_oddly: 'publish',
  /** Earlier versions of a file that could not be had. */
  history_incomplete: 'publish',
} as const satisfies Record<string, 'publish' | 'keep'>;

export type FindingKind = keyof typeof gateRules;

/** What came of a collection, beside its records. */
export interface CollectionFacts {
  readonly written: StoredAxis;
  readonly accumulates: boolean;
  readonly questions: number;
  readonly refused: number;
  readonly refusedExample: string | null;
  /** Rows by which pages and totals differ. */
  readonly mismatch: number;
  /** Questions whose list changed while it was paged, and the first one's lowest and highest total. */
  readonly moved: number;
  readonly movedExample: readonly [number, number] | null;
  readonly duplicateKeys: number;
  /** Records left out because another question brought one of the same key, with other values. */
  readonly mergedKeys: number;
  readonly damaged: number;
  readonly fieldsNew: readonly string[];
  /** Fields that no answer has, not even empty. */
  readonly fieldsMissing: readonly string[];
  /** Records with a position, and those outside the country. */
  readonly positions: number;
  readonly abroad: number;
  /** Records that name a known region, in what came and in what is held, by the fields of what is held. */
  readonly places: NamedPlaces | null;
  readonly placesBefore: NamedPlaces | null;
}

export interface NamedPlaces {
  readonly records: number;
  readonly known: number;
}

/** Everything odd in what came, against what is held. `lostBefore`: records that the run before found lost. */
export function inspect(
  facts: CollectionFacts,
  held: StoredAxis | null,
  lostBefore: number,
): Finding[] {
  return [
    ...rowsFindings(facts, held, lostBefore),
    ...fieldFindings(facts, held),
    ...placeFindings(facts),
    ...answerFindings(facts),
  ];
}

/** Findings counted by kind, each with the detail of its first. */
export class FindingCounts {
  readonly #byKind = new Map<FindingKind, Finding>();

  add(kind: FindingKind, detail: string, count = 1): void {
    const known = this.#byKind.get(kind) ?? { kind, count: 0, detail };
    this.#byKind.set(kind, { ...known, count: known.count + count });
  }

  all(): Finding[] {
    return [...this.#byKind.values()];
  }
}

/** The findings because of which the previous data stays. */
export function blocking(findings: readonly Finding[]): Finding[] {
  return findings.filter(({ kind }) => gateRules[kind] === 'keep');
}

/** The finding that an error is, where a collection ended with one. */
export function kindOfError(error: Error): FindingKind {
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
  held: StoredAxis | null,
  lostBefore: number,
): Finding[] {
  const before = held?.rows ?? 0;
  if (written.rows === 0) {
    if (before === 0) return [];
    return [finding('no_records', before, `Nothing came where ${before} records were held.`)];
  }
  const lost = before - written.rows;
  if (accumulates || lost <= before * runLimits.lossShareMax) return [];
  const detail = `${lost} of ${before} records are gone.`;
  return [finding(lossKind(lost, lostBefore), lost, detail)];
}

/** What a loss is beside that of the run before: one that goes on growing is another loss. */
export function lossKind(lost: number, lostBefore: number): 'rows_lost' | 'rows_lost_twice' {
  return lost <= lostBefore * sameLossFactor ? 'rows_lost_twice' : 'rows_lost';
}

const sameLossFactor = 1.1;

function fieldFindings(
  { written, fieldsNew, fieldsMissing }: CollectionFacts,
  held: StoredAxis | null,
): Finding[] {
  const findings: Finding[] = [];
  if (fieldsNew.length > 0) {
    const detail = `Fields nobody knew: ${shown(fieldsNew)}.`;
    findings.push(finding('fields_new', fieldsNew.length, detail));
  }
  if (held === null || written.rows === 0) return findings;
  const usual = held.fields.filter(({ stats }) => stats.nonNull * 2 > held.rows);
  const gone = usual.filter(({ name }) => fieldsMissing.includes(name)).map(({ name }) => name);
  if (gone.length > 0) {
    const detail = `Fields are in no answer any more: ${shown(gone)}.`;
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
}: CollectionFacts): Finding[] {
  const findings: Finding[] = [];
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

/** How many fewer records name a known region than would by the share of before. */
function placesLost(places: NamedPlaces | null, before: NamedPlaces | null): number {
  if (places === null || before === null || before.records === 0) return 0;
  return Math.round((before.known / before.records) * places.records) - places.known;
}

function answerFindings(facts: CollectionFacts): Finding[] {
  const { refused, refusedExample, questions, mismatch, moved, movedExample, duplicateKeys } =
    facts;
  const findings: Finding[] = [];
  if (refused > 0) {
    const kind =
      refused > questions * runLimits.refusedShareMax ? 'half_refused' : 'questions_refused';
    const example = refusedExample === null ? '' : ` First: ${refusedExample}`;
    const detail = `${refused} of ${questions} questions were refused.${example}`;
    findings.push(finding(kind, refused, detail));
  }
  if (mismatch > 0) {
    const detail = `The pages differ from the portal’s totals by ${mismatch} records.`;
    findings.push(finding('count_mismatch', mismatch, detail));
  }
  if (moved > 0) {
    const [least, most] = movedExample ?? [0, 0];
    const detail =
      `${moved} of ${questions} lists changed while they were paged, the first between ${least} and ` +
      `${most} records; what slipped through comes with the next collection.`;
    findings.push(finding('list_moved', moved, detail));
  }
  if (duplicateKeys > 0) {
    const detail = `${duplicateKeys} records have the natural key of another; all are held.`;
    findings.push(finding('duplicate_keys', duplicateKeys, detail));
  }
  if (facts.mergedKeys > 0) {
    const detail = `${facts.mergedKeys} records differ from one of the same key that another question brought first, which is held.`;
    findings.push(finding('keys_merged', facts.mergedKeys, detail));
  }
  if (facts.damaged > 0) {
    const detail = `${facts.damaged} records hold bytes that are no text; they came so each time.`;
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

function finding(kind: FindingKind, count: number, detail: string): Finding {
  return { kind, count, detail };
}
