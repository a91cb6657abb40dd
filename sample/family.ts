import type { FamilyName } from './operation.ts';

/** The wire format of one upstream system: JSON parameter, paging, codes, positions of rows and counters. */
export interface Family {
  /** Query parameter and value that turn XML into JSON; null if there is only XML. */
  readonly json: { readonly parameter: string; readonly value: string } | null;
  readonly page: {
    readonly number: string;
    readonly size: string;
    readonly sizeDefault: number;
    /** Larger pages are cut to this size silently. */
    readonly sizeMax: number;
  };
  readonly success: readonly [code: string, message: string];
  /** Code and message of a response without rows; null if it is a success with an empty list. */
  readonly noData: readonly [code: string, message: string] | null;
  /**
   * `typed`: numeric fields are JSON numbers. `text`: every value is a string. `converted`: every text that looks like
   * a number becomes one. `guessed`: in every other row, every text that looks like a whole number becomes one.
   */
  readonly values: 'typed' | 'text' | 'converted' | 'guessed';
  readonly counters: 'number' | 'text';
  /** The position of the rows in JSON; `empty` is the value there if there are none. */
  readonly rows: 'items.item' | 'items' | 'data' | 'head-row';
  readonly empty: 'text' | 'list' | 'missing' | 'object';
  /** True if a single row is an object instead of a list, as converters of XML write it. */
  readonly isOneRowObject: boolean;
  /** True if header and body of JSON are inside `response`. */
  readonly hasResponse: boolean;
  /** True if texts of XML are in CDATA sections. */
  readonly usesCdata: boolean;
  /** True if texts contain HTML that was escaped before the XML was written. */
  readonly isEscapedTwice: boolean;
}

const paging = { number: 'pageNo', size: 'numOfRows', sizeDefault: 10, sizeMax: 10_000 } as const;
const xmlConverted = {
  json: { parameter: '_type', value: 'json' },
  page: paging,
  success: ['00', 'NORMAL SERVICE.'],
  noData: null,
  values: 'converted',
  counters: 'number',
  rows: 'items.item',
  empty: 'text',
  isOneRowObject: true,
  hasResponse: true,
  usesCdata: false,
  isEscapedTwice: false,
} as const;

export const families: Readonly<Record<FamilyName, Family>> = {
  sbiz: {
    ...xmlConverted,
    json: { parameter: 'type', value: 'json' },
    page: { ...paging, sizeMax: 1000 },
    success: ['00', 'NORMAL SERVICE'],
    noData: ['03', 'NODATA_ERROR'],
    values: 'typed',
    rows: 'items',
    empty: 'missing',
    isOneRowObject: false,
    hasResponse: false,
  },
  // An answer recorded in 2026 has a single row as a list, where other agencies send the bare object.
  kto: { ...xmlConverted, success: ['0000', 'OK'], values: 'typed', isOneRowObject: false },
  kma: {
    ...xmlConverted,
    json: { parameter: 'dataType', value: 'JSON' },
    page: { ...paging, sizeMax: 1000 },
    success: ['00', 'NORMAL_SERVICE'],
    noData: ['03', 'NO_DATA'],
    values: 'typed',
    empty: 'missing',
    isOneRowObject: false,
  },
  kcisa: {
    ...xmlConverted,
    json: null,
    page: { ...paging, number: 'PageNo', size: 'numOfrows' },
    isEscapedTwice: true,
  },
  cltr: {
    ...xmlConverted,
    json: { parameter: 'resultType', value: 'json' },
    page: { ...paging, sizeMax: 1000 },
    values: 'text',
    counters: 'text',
    rows: 'data',
    empty: 'list',
    isOneRowObject: false,
  },
  nmc: xmlConverted,
  kasi: xmlConverted,
  nec: {
    ...xmlConverted,
    json: { parameter: 'resultType', value: 'json' },
    page: { ...paging, sizeMax: 100 },
    success: ['INFO-00', 'NORMAL SERVICE'],
    noData: ['INFO-03', '데이터 정보가 없습니다. 입력 파라미터값을 확인하여 주시기 바랍니다.'],
    values: 'text',
    counters: 'text',
    empty: 'missing',
  },
  tago: { ...xmlConverted, page: { ...paging, sizeMax: 10_000 } },
  std: {
    ...xmlConverted,
    json: { parameter: 'type', value: 'json' },
    page: { ...paging, sizeDefault: 100, sizeMax: 1000 },
    success: ['00', 'NORMAL_SERVICE'],
    noData: ['03', 'NODATA_ERROR'],
    values: 'text',
    counters: 'text',
    rows: 'items',
    empty: 'missing',
    isOneRowObject: false,
    usesCdata: true,
  },
  airport: {
    ...xmlConverted,
    json: { parameter: 'type', value: 'json' },
    page: { ...paging, sizeMax: 500 },
    values: 'text',
    rows: 'items',
    empty: 'list',
    isOneRowObject: false,
  },
  mois: {
    ...xmlConverted,
    json: { parameter: 'type', value: 'json' },
    page: { ...paging, sizeMax: 1000 },
    success: ['INFO-0', 'NOMAL SERVICE'],
    noData: ['INFO-3', '데이터없음'],
    values: 'typed',
    rows: 'head-row',
    empty: 'missing',
    isOneRowObject: false,
  },
};
