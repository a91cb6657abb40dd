import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StoredAxis } from '../../data/axis.ts';
import { inspectCollection, type CollectionFacts } from './gates.ts';
import { runLimits } from './limits.ts';

test('missing pages count by their share of all pages, unanswered requests by theirs', () => {
  const unansweredNames = ['page 3'];
  assert.deepEqual(kindsOf({ pages: 10, pagesAbsent: 1, unansweredNames }), ['few_refused']);
  assert.deepEqual(kindsOf({ pages: 9, pagesAbsent: 1, unansweredNames }), ['many_refused']);
  assert.deepEqual(kindsOf({ requests: 10, unanswered: 1, unansweredNames }), ['few_refused']);
  assert.deepEqual(kindsOf({ requests: 9, unanswered: 1, unansweredNames }), ['many_refused']);
});

test('a loss that repeats in the second run is published, unless it has grown', () => {
  assert.deepEqual(kindsOfLoss(600, 0), ['rows_lost']);
  assert.deepEqual(kindsOfLoss(600, 400), ['rows_lost_twice']);
  assert.deepEqual(kindsOfLoss(595, 400), ['rows_lost_twice']);
  assert.deepEqual(kindsOfLoss(10, 400), ['rows_lost']);
});

test('records that share a key and records with damaged text are reported as findings', () => {
  const findings = inspectCollection({ ...facts, mergedKeys: 2, damaged: 3 }, null, 0);
  assert.deepEqual(
    findings.map(({ kind, count }) => [kind, count]),
    [
      ['keys_merged', 2],
      ['text_damaged', 3],
    ],
  );
});

test('over 5 % of damaged text keeps the previous data, unless that is damaged too', () => {
  assert.deepEqual(kindsOfDamage(51, 0), ['text_lost']);
  assert.deepEqual(kindsOfDamage(50, 0), ['text_damaged']);
  assert.deepEqual(kindsOfDamage(900, 800), ['text_damaged']);
  assert.deepEqual(kindsOfDamage(900, 0, null), ['text_damaged']);
});

test('rows missing from the total keep the previous data if it has more rows', () => {
  assert.deepEqual(kindsOfMissing(50, 950), ['count_mismatch']);
  assert.deepEqual(kindsOfMissing(51, 949), ['rows_missing']);
  // The served data does not have them either.
  assert.deepEqual(kindsOfMissing(400, 1_000), ['rows_partly_missing']);
  assert.deepEqual(kindsOfMissing(600, 400), ['rows_missing']);
  assert.deepEqual(kindsOfMissing(50, 950, null), ['count_mismatch']);
  assert.deepEqual(kindsOfMissing(51, 949, null), ['rows_partly_missing']);
  assert.deepEqual(kindsOfMissing(300, 700, null), ['rows_partly_missing']);
  assert.deepEqual(kindsOfMissing(301, 699, null), ['rows_mostly_missing']);
});

function kindsOfMissing(
  missing: number,
  rows: number,
  before: StoredAxis | null = served,
): string[] {
  const written = { ...served, rows };
  // The previous run had the same loss.
  const findings = inspectCollection({ ...facts, written, missing }, before, missing);
  return findings.map(({ kind }) => kind);
}

function kindsOfDamage(
  damaged: number,
  previousDamaged: number,
  before: StoredAxis | null = served,
): string[] {
  const findings = inspectCollection({ ...facts, damaged, previousDamaged }, before, 0);
  return findings.map(({ kind }) => kind);
}

function kindsOf(counts: Partial<CollectionFacts>): string[] {
  return inspectCollection({ ...facts, ...counts }, null, 0).map(({ kind }) => kind);
}

function kindsOfLoss(rows: number, previousLoss: number): string[] {
  const findings = inspectCollection(
    { ...facts, written: { ...served, rows } },
    served,
    previousLoss,
  );
  return findings.map(({ kind }) => kind);
}

const served: StoredAxis = {
  axis: {
    code: 'nec_code',
    title: '예시',
    titleEn: null,
    type: 'API',
    portalId: null,
    provider: null,
    keyFields: [],
    origin: 'portal',
    sourceModified: null,
    collectedAt: '2026-11-21T03:20:00.000Z',
    updateCycle: null,
    license: null,
    sourceUrl: null,
  },
  rows: 1_000,
  fields: [],
  schemaFingerprint: '',
  regions: [],
  hasCoordinates: false,
};

const facts: CollectionFacts = {
  written: served,
  accumulates: false,
  mayBeEmpty: false,
  answers: 1,
  differentAnswers: 1,
  crossedAnswers: 0,
  requests: 1,
  unanswered: 0,
  pages: 1,
  pagesAbsent: 0,
  unansweredNames: [],
  unansweredExample: null,
  totalRows: 1_000,
  missing: 0,
  surplus: 0,
  possiblyMissing: 0,
  changedLists: 0,
  changedListTotals: null,
  duplicateKeys: 0,
  mergedKeys: 0,
  damaged: 0,
  previousDamaged: 0,
  mendedPages: 0,
  fieldsNew: [],
  fieldsMissing: [],
  positions: 0,
  positionsAbroad: 0,
  namedPlaces: null,
  previousPlaces: null,
};

test('a first collection without a record is refused, unless the axis may be empty', () => {
  const empty = { ...facts, written: { ...served, rows: 0 }, requests: 112 };
  const kinds = (mayBeEmpty: boolean, before: StoredAxis | null) =>
    inspectCollection({ ...empty, mayBeEmpty }, before, 0).map(({ kind }) => kind);
  assert.deepEqual(kinds(false, null), ['no_records_yet']);
  assert.deepEqual(kinds(true, null), []);
  assert.deepEqual(kinds(false, served), ['no_records']);
  assert.deepEqual(kinds(false, { ...served, rows: 0 }), []);
});

test('data is refused if many requests got one answer, not if few did or if answers differ', () => {
  assert.deepEqual(kindsOfAnswers(60, 1), ['answers_same']);
  assert.deepEqual(kindsOfAnswers(60, 6), []);
  assert.deepEqual(kindsOfAnswers(runLimits.shareRowsMin, 1), ['answers_same']);
  assert.deepEqual(kindsOfAnswers(runLimits.shareRowsMin - 1, 1), []);
});

test('a field that is renamed in some records keeps the previous data', () => {
  const before = { ...served, fields: [fieldOf('title', 1_000), fieldOf('tel', 400)] };
  const found = (fields: StoredAxis['fields']) =>
    inspectCollection({ ...facts, written: { ...served, fields } }, before, 0).map(
      ({ kind, detail }) => `${kind} ${detail}`,
    );
  const renamed = [fieldOf('title', 540), fieldOf('tel', 400), fieldOf('name', 460)];
  assert.deepEqual(found(renamed), [
    'fields_missing Fields are missing from some records, while new fields appeared: title.',
  ]);
  assert.deepEqual(found(renamed.slice(0, 2)), []);
  assert.deepEqual(found([fieldOf('title', 960), ...renamed.slice(1)]), []);
});

function kindsOfAnswers(answers: number, differentAnswers: number): string[] {
  const found = inspectCollection({ ...facts, answers, differentAnswers }, null, 0);
  return found.map(({ kind }) => kind);
}

function fieldOf(name: string, nonNull: number): StoredAxis['fields'][number] {
  const lengths = { minLength: 1, maxLength: 1 };
  const stats = { nonNull, distinct: nonNull, ...lengths, min: null, max: null, examples: [] };
  return {
    name,
    label: name,
    labelEn: null,
    labelSource: 'portal',
    type: 'string',
    unit: null,
    role: null,
    searchable: true,
    stats,
  };
}
