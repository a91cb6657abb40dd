import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileDatasets } from '../files/datasets.ts';
import { operations, type FamilyName } from '../operation.ts';
import { faultTable, type FaultName } from './schedule.ts';

test('every fault is documented exactly once', () => {
  const names = documented.flatMap(({ faults = [] }) => faults);
  assert.deepEqual(names.toSorted(), Object.keys(faultTable).toSorted());
});

test('every documented behaviour has a fault, a family, a file or an option', () => {
  const families = new Set(operations.map(({ family }) => family));
  const files = new Set(fileDatasets(1).map(({ number }) => number));
  for (const {
    title,
    faults = [],
    families: own = [],
    files: numbers = [],
    option,
  } of documented) {
    assert.ok(
      own.every((family) => families.has(family)),
      title,
    );
    assert.ok(
      numbers.every((number) => files.has(number)),
      title,
    );
    assert.ok(faults.length + own.length + numbers.length > 0 || option !== undefined, title);
  }
  const usedFiles = new Set(documented.flatMap(({ files: numbers = [] }) => numbers));
  assert.deepEqual([...usedFiles].toSorted(), [...files].toSorted());
});

/** A behaviour of the portal, documented or observed, with the parts of the sample portal that have it. */
interface PortalBehaviour {
  readonly title: string;
  /** Faults that have this behaviour. */
  readonly faults?: readonly FaultName[];
  /** Families of operations, files, and an option of the sample portal that have it. */
  readonly families?: readonly FamilyName[];
  readonly files?: readonly string[];
  readonly option?: 'keys' | 'scale' | 'clock' | 'catalog' | 'refusedWords' | 'volumes';
}

/**
 * Every known peculiarity and fault of the portal. The tests above fail if a fault is missing here, or if nothing in
 * the sample has a behaviour. `test/harvest/` tests how a collection handles each fault.
 */
const documented: readonly PortalBehaviour[] = [
  // Envelopes
  { title: 'rows in items.item', families: ['tago', 'kto', 'kma', 'kasi', 'nmc', 'nec'] },
  { title: 'rows in items itself', families: ['std', 'airport', 'sbiz'], faults: ['rows_direct'] },
  { title: 'rows in data', families: ['cltr'], faults: ['rows_data'] },
  { title: 'rows under the operation’s name, in capitals (2020)', faults: ['old_envelope'] },
  { title: 'head and row side by side', families: ['mois'] },
  { title: 'no response around header and body', families: ['sbiz'], faults: ['response_missing'] },
  { title: 'XML only', families: ['kcisa'] },
  { title: 'XML although JSON was requested', faults: ['xml_instead'] },
  { title: 'CDATA', families: ['std'], faults: ['cdata'] },
  { title: 'text escaped twice', families: ['kcisa'] },
  { title: 'one row as an object', families: ['tago', 'kasi', 'nmc'], faults: ['one_row_object'] },
  {
    title: 'no row as an empty text, without items, without item, without body',
    families: ['tago', 'kma', 'sbiz'],
    faults: ['items_empty_text', 'items_missing', 'item_missing', 'body_missing'],
  },
  {
    title: 'no row under a code of its own',
    families: ['sbiz', 'kma', 'nec', 'std', 'mois'],
    faults: ['no_data', 'no_data_word', 'no_data_code'],
  },
  {
    title: 'success as 00, 0000, 000, INFO-00, INFO-0 or a word',
    families: ['tago', 'kto', 'nec', 'mois'],
    faults: ['success_word', 'success_zeros'],
  },
  { title: 'counters as text', families: ['nec', 'std'], faults: ['total_other_type'] },
  {
    title: 'numbers without their leading zeros, numeric ids as numbers in some rows only',
    families: ['tago'],
    faults: ['numbers_as_text', 'ids_as_numbers'],
  },
  { title: 'names in another case', faults: ['names_other_case'] },
  { title: 'standard data under Korean keys', faults: ['korean_keys'] },
  // Pages
  { title: 'a total of zero for a moment', faults: ['total_zero'] },
  { title: 'a total that grows or shrinks', faults: ['total_growing', 'total_shrinking'] },
  {
    title: 'a page that repeats another',
    faults: ['page_repeated', 'page_first', 'page_shifted', 'page_ignored'],
  },
  { title: 'an order that changes between pages', faults: ['ties_swapped', 'order_unstable'] },
  { title: 'every row twice, every page named 1', faults: ['rows_doubled', 'page_echoed'] },
  { title: 'a page that stays short', faults: ['page_short'] },
  { title: 'pages that are cut, without a total', faults: ['total_missing'] },
  { title: 'a page without rows, a row twice', faults: ['page_empty', 'rows_repeated'] },
  { title: 'a page that is silently cut', families: ['nec', 'sbiz'] },
  { title: 'a NUL inside a text', faults: ['nul_text'] },
  {
    title: 'CP949, an empty value as `{}` or as the word null',
    faults: ['text_cp949', 'objects_empty', 'null_word'],
  },
  { title: 'no row as status 204', faults: ['no_content'] },
  {
    title: 'JSON whose strings lack escapes',
    faults: ['json_control', 'json_backslash', 'json_quote'],
  },
  // Errors of the gateway and the agencies
  {
    title: 'an error as XML with 200, as XML with 403, as JSON with 403',
    faults: ['error_xml_200', 'error_xml_403', 'error_json_403'],
  },
  {
    title: 'temporary codes: 02, 04 by its other name, 21, 23, 99',
    faults: ['db_error', 'routing_error', 'key_paused', 'per_second', 'unknown_error'],
    option: 'keys',
  },
  {
    title: 'codes of a request: 10, 11, 12, and 10 in an agency’s own words',
    faults: ['bad_parameter', 'missing_parameter', 'retired', 'business_refusal'],
  },
  {
    title: 'code 20, distinguished by its message',
    faults: ['access_denied', 'key_missing', 'permission_denied'],
  },
  { title: 'code 22, until midnight in Korea', faults: ['quota'], option: 'keys' },
  {
    title: 'codes for the operator: 29, 30, 31, 32, 33',
    faults: [
      'address_blocked',
      'unregistered_key',
      'expired_key',
      'address_unregistered',
      'unsigned',
    ],
  },
  { title: 'a header with code 99 alone', faults: ['header_error'] },
  {
    title: 'temporary errors of the gateway in plain text',
    faults: ['text_rate_limit', 'text_forwarding', 'text_receiving', 'text_unexpected'],
  },
  {
    title: 'lasting errors of the gateway in plain text',
    faults: ['text_unauthorized', 'text_forbidden', 'text_not_found', 'text_quota'],
  },
  { title: 'the weather agency’s hub', faults: ['hub_forbidden'] },
  { title: 'a key in two spellings, encoded once too often, or unknown', option: 'keys' },
  // Transport
  { title: 'http and https', faults: ['redirect'] },
  { title: 'an operation that moved to another host', faults: ['redirect_away'] },
  {
    title: 'HTML instead of data, for a moment and for hours',
    faults: ['html_page', 'maintenance'],
  },
  { title: 'a portal that is down', faults: ['down'] },
  { title: 'a server whose clock is wrong', faults: ['busy_until'] },
  {
    title: 'an error of one request for good',
    faults: ['agency_error', 'server_error'],
  },
  {
    title: 'no body, half a body, a slow one, none in time',
    faults: ['empty_body', 'reset', 'reset_midway', 'truncated', 'hang', 'drip'],
  },
  { title: 'compression, right and wrong', faults: ['gzip', 'gzip_broken'] },
  { title: 'a wrong content type, a byte order mark', faults: ['wrong_type', 'bom'] },
  // Records
  { title: 'a field under another name, a new field', faults: ['field_renamed', 'field_added'] },
  {
    title: 'records that are deleted, lost, gone',
    faults: ['records_deleted', 'records_lost', 'records_none'],
    option: 'scale',
  },
  {
    title: 'positions swapped or abroad',
    faults: ['coordinates_swapped', 'coordinates_abroad'],
    files: ['990000007'],
  },
  { title: 'regions that no table has', faults: ['region_unknown'] },
  { title: 'regions under former names', files: ['990000008'] },
  { title: 'records that the portal deletes after days', families: ['kma'], option: 'clock' },
  // odcloud
  {
    title: 'codes of odcloud',
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
  { title: 'an unknown key with status 200', faults: ['odcloud_key_200'] },
  { title: 'the first page for every page', faults: ['odcloud_first_page'] },
  // Files
  { title: 'HTML with 200 instead of a file', faults: ['file_shell'] },
  { title: 'a file for signed-in users', faults: ['file_login'], files: ['990000020'] },
  { title: 'a file that only its agency offers', files: ['990000019'] },
  { title: 'a file that is gone', faults: ['file_withdrawn'] },
  { title: 'an address that ends with each replacement', faults: ['file_replaced'] },
  { title: 'a wrong attachment', faults: ['file_other'] },
  { title: 'several versions', files: ['990000001'] },
  {
    title: 'CP949 with syllables beyond KS X 1001, UTF-8 with a mark and without, UTF-16',
    files: ['990000017', '990000002', '990000012', '990000003'],
  },
  { title: 'lines that end in a bare CR', files: ['990000017'] },
  { title: 'ragged rows, breaks and quotes in cells, unnamed columns', files: ['990000009'] },
  { title: 'a repeated header, units, words for missing numbers', files: ['990000010'] },
  { title: 'totals between and under the rows, notes', files: ['990000012', '990000004'] },
  { title: 'titles above, headers of two rows, merged cells', files: ['990000004', '990000016'] },
  { title: 'several sheets, a hidden one', files: ['990000016'] },
  { title: 'the workbook of 1997, HTML named .xls', files: ['990000005', '990000015'] },
  { title: 'dates in every spelling, leading zeros', files: ['990000011'] },
  { title: 'names in CP949 inside a ZIP', files: ['990000006'] },
  { title: 'JSON and XML named by their headers', files: ['990000013', '990000014'] },
  { title: 'metres instead of degrees', files: ['990000018'] },
  // Catalog
  { title: 'a wrong page of the web list', faults: ['list_other_page'] },
  { title: 'fewer datasets a page than requested', faults: ['list_ten_a_page'] },
  { title: 'a dataset missing from a page', faults: ['list_item_lost'] },
  { title: 'old markup', faults: ['list_old_markup'] },
  { title: 'other words for the types', faults: ['list_other_words'] },
  { title: 'columns shifted by a quote', faults: ['list_columns_shifted'], option: 'catalog' },
  // Search trend
  {
    title: 'errors of the search trend',
    faults: ['trend_error', 'trend_burst', 'trend_forbidden', 'trend_quota'],
    option: 'refusedWords',
  },
  { title: 'keywords below the threshold', option: 'volumes' },
];
