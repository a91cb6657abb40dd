import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileDatasets } from '../files/datasets.ts';
import { operations, type FamilyName } from '../operation.ts';
import { faultTable, type FaultName } from './schedule.ts';

test('every fault is documented, each once', () => {
  const named = documented.flatMap(({ faults = [] }) => faults);
  assert.deepEqual(named.toSorted(), Object.keys(faultTable).toSorted());
});

test('everything documented has a fault, a family, a file or an option', () => {
  const families = new Set(operations.map(({ family }) => family));
  const files = new Set(fileDatasets(1).map(({ number }) => number));
  for (const { what, faults = [], families: own = [], files: numbers = [], option } of documented) {
    assert.ok(
      own.every((family) => families.has(family)),
      what,
    );
    assert.ok(
      numbers.every((number) => files.has(number)),
      what,
    );
    assert.ok(faults.length + own.length + numbers.length > 0 || option !== undefined, what);
  }
  const shown = new Set(documented.flatMap(({ files: numbers = [] }) => numbers));
  assert.deepEqual([...shown].toSorted(), [...files].toSorted());
});

/** A behaviour of the portal, documented or observed, and its place in the sample portal. */
interface Documented {
  readonly what: string;
  /** Faults that show it. */
  readonly faults?: readonly FaultName[];
  /** Always present: in these families of operations, in these sample files, or by an option. */
  readonly families?: readonly FamilyName[];
  readonly files?: readonly string[];
  readonly option?: 'keys' | 'scale' | 'clock' | 'catalog' | 'refusedWords' | 'volumes';
}

/**
 * Every known peculiarity and fault of the portal. The tests below fail if a fault is missing here, or if
 * nothing in the sample shows a row. `test/harvest/` tests how a collection handles each fault.
 */
const documented: readonly Documented[] = [
  // Envelopes
  { what: 'rows in items.item', families: ['tago', 'kto', 'kma', 'kasi', 'nmc', 'nec'] },
  { what: 'rows in items itself', families: ['std', 'airport', 'sbiz'], faults: ['rows_direct'] },
  { what: 'rows in data', families: ['cltr'], faults: ['rows_data'] },
  { what: 'rows under the operation’s own name, in capitals (2020)', faults: ['old_envelope'] },
  { what: 'head and row side by side', families: ['mois'] },
  { what: 'no response around header and body', families: ['sbiz'], faults: ['response_missing'] },
  { what: 'XML only', families: ['kcisa'] },
  { what: 'XML although JSON was requested', faults: ['xml_instead'] },
  { what: 'CDATA', families: ['std'], faults: ['cdata'] },
  { what: 'text escaped twice', families: ['kcisa'] },
  { what: 'one row as an object', families: ['tago', 'kasi', 'nmc'], faults: ['one_row_object'] },
  {
    what: 'no row as an empty text, without items, without item, without body',
    families: ['tago', 'kma', 'sbiz'],
    faults: ['items_empty_text', 'items_missing', 'item_missing', 'body_missing'],
  },
  {
    what: 'no row under a code of its own',
    families: ['sbiz', 'kma', 'nec', 'std', 'mois'],
    faults: ['no_data', 'no_data_word', 'no_data_code'],
  },
  {
    what: 'success as 00, 0000, 000, INFO-00, INFO-0 or a word',
    families: ['tago', 'kto', 'nec', 'mois'],
    faults: ['success_word', 'success_zeros'],
  },
  { what: 'counters as text', families: ['nec', 'std'], faults: ['total_other_type'] },
  {
    what: 'numbers without their leading zeros, numeric ids as numbers in some rows only',
    families: ['tago'],
    faults: ['numbers_as_text', 'ids_as_numbers'],
  },
  { what: 'names in another case', faults: ['names_other_case'] },
  { what: 'standard data under Korean keys', faults: ['korean_keys'] },
  // Pages
  { what: 'a total of zero that passes', faults: ['total_zero'] },
  { what: 'a total that grows or shrinks', faults: ['total_growing', 'total_shrinking'] },
  { what: 'a page that repeats another', faults: ['page_repeated', 'page_shifted'] },
  { what: 'a page without rows, a row twice', faults: ['page_empty', 'rows_repeated'] },
  { what: 'a page cut without a word', families: ['nec', 'sbiz'] },
  { what: 'a NUL inside a text', faults: ['nul_text'] },
  // Errors of the gateway and the agencies
  {
    what: 'an error as XML with 200, as XML with 403, as JSON with 403',
    faults: ['error_xml_200', 'error_xml_403', 'error_json_403'],
  },
  {
    what: 'codes that pass: 02, 04 by its other name, 21, 23, 99',
    faults: ['db_error', 'routing_error', 'key_paused', 'per_second', 'unknown_error'],
    option: 'keys',
  },
  {
    what: 'codes of a request: 10, 11, 12, and 10 in an agency’s own words',
    faults: ['bad_parameter', 'missing_parameter', 'retired', 'business_refusal'],
  },
  {
    what: 'code 20, distinguished by its message',
    faults: ['access_denied', 'key_missing', 'permission_denied'],
  },
  { what: 'code 22, until midnight in Korea', faults: ['quota'], option: 'keys' },
  {
    what: 'codes for the operator: 29, 30, 31, 32, 33',
    faults: [
      'address_blocked',
      'unregistered_key',
      'expired_key',
      'address_unregistered',
      'unsigned',
    ],
  },
  { what: 'a header with code 99 alone', faults: ['header_error'] },
  {
    what: 'bare words of the gateway that pass',
    faults: ['text_rate_limit', 'text_forwarding', 'text_receiving', 'text_unexpected'],
  },
  {
    what: 'bare words of the gateway that stay',
    faults: ['text_unauthorized', 'text_forbidden', 'text_not_found', 'text_quota'],
  },
  { what: 'the weather agency’s hub', faults: ['hub_forbidden'] },
  { what: 'a key in two spellings, encoded once too often, or unknown', option: 'keys' },
  // The way
  { what: 'http and https', faults: ['redirect'] },
  { what: 'an operation that moved to another host', faults: ['redirect_away'] },
  {
    what: 'HTML instead of data, for a moment and for hours',
    faults: ['html_page', 'maintenance'],
  },
  { what: 'a portal that is down', faults: ['down'] },
  {
    what: 'nothing, half, slowly, too late',
    faults: ['empty_body', 'reset', 'reset_midway', 'truncated', 'hang', 'drip'],
  },
  { what: 'compression, right and wrong', faults: ['gzip', 'gzip_broken'] },
  { what: 'a wrong content type, a byte order mark', faults: ['wrong_type', 'bom'] },
  // Records
  { what: 'a field under another name, a new field', faults: ['field_renamed', 'field_added'] },
  {
    what: 'records that are deleted, lost, gone',
    faults: ['records_deleted', 'records_lost', 'records_none'],
    option: 'scale',
  },
  {
    what: 'positions swapped or abroad',
    faults: ['coordinates_swapped', 'coordinates_abroad'],
    files: ['990000007'],
  },
  { what: 'regions that no table has', faults: ['region_unknown'] },
  { what: 'regions under former names', files: ['990000008'] },
  { what: 'what upstream forgets', families: ['kma'], option: 'clock' },
  // odcloud
  {
    what: 'its own codes',
    faults: [
      'odcloud_internal',
      'odcloud_parameter',
      'odcloud_unregistered',
      'odcloud_key',
      'odcloud_closed',
      'odcloud_quota',
      'odcloud_key_invalid',
      'odcloud_unknown',
    ],
  },
  { what: 'an unknown key with status 200', faults: ['odcloud_key_200'] },
  { what: 'the first page for every page', faults: ['odcloud_first_page'] },
  // Files
  { what: 'HTML with 200 instead of a file', faults: ['file_shell'] },
  { what: 'a file for signed-in people', faults: ['file_login'], files: ['990000020'] },
  { what: 'a file at its agency', files: ['990000019'] },
  { what: 'a file that is gone', faults: ['file_withdrawn'] },
  { what: 'an address that ends with each replacement', faults: ['file_replaced'] },
  { what: 'a wrong attachment', faults: ['file_other'] },
  { what: 'several versions', files: ['990000001'] },
  {
    what: 'CP949 with syllables beyond KS X 1001, UTF-8 with a mark and without, UTF-16',
    files: ['990000017', '990000002', '990000012', '990000003'],
  },
  { what: 'lines that end in a bare CR', files: ['990000017'] },
  { what: 'ragged rows, breaks and quotes in cells, unnamed columns', files: ['990000009'] },
  { what: 'one header twice, units, words for missing numbers', files: ['990000010'] },
  { what: 'totals between and under the rows, notes', files: ['990000012', '990000004'] },
  { what: 'titles above, headers of two rows, merged cells', files: ['990000004', '990000016'] },
  { what: 'several sheets, a hidden one', files: ['990000016'] },
  { what: 'the workbook of 1997, HTML named .xls', files: ['990000005', '990000015'] },
  { what: 'dates in every spelling, leading zeros', files: ['990000011'] },
  { what: 'names in CP949 inside a ZIP', files: ['990000006'] },
  { what: 'JSON and XML named by their headers', files: ['990000013', '990000014'] },
  { what: 'metres instead of degrees', files: ['990000018'] },
  // Catalog
  { what: 'a page of the web list that is another', faults: ['list_other_page'] },
  { what: 'fewer datasets a page than requested', faults: ['list_ten_a_page'] },
  { what: 'a dataset missing from a page', faults: ['list_item_lost'] },
  { what: 'old markup', faults: ['list_old_markup'] },
  { what: 'other words for the types', faults: ['list_other_words'] },
  { what: 'columns shifted by a quote', faults: ['list_columns_shifted'], option: 'catalog' },
  // Search trend
  {
    what: 'its own errors',
    faults: ['trend_error', 'trend_burst', 'trend_forbidden', 'trend_quota'],
    option: 'refusedWords',
  },
  { what: 'keywords below the threshold', option: 'volumes' },
];
