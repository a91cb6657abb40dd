import type { FamilyName } from './operation.ts';

/** The wire format of one upstream system: JSON switch, paging, codes, positions of rows and counters. */
export interface Family {
  /** Query parameter and value that turn XML into JSON; null if there is only XML. */
  readonly json: { readonly parameter: string; readonly value: string } | null;
  readonly page: {
    readonly number: string;
    readonly size: string;
    readonly sizeUsual: number;
    /** Larger pages are cut to this size silently. */
    readonly sizeMax: number;
  };
  readonly success: readonly [code: string, message: string];
  /** Code and message of a response without rows; null if it is a success with an empty list. */
  readonly noData: readonly [code: string, message: string] | null;
  /**
   * `typed`: fields that hold numbers are JSON numbers. `text`: every value is a string. `converted`: XML
   * was turned into JSON by a program that turns every value that looks like a number into a number. `guessed`: such
   * a program looked at whole numbers, in some rows only.
   */
  readonly values: 'typed' | 'text' | 'converted' | 'guessed';
  readonly counters: 'number' | 'text';
  /** The position of the rows in JSON; `empty` is the value there if there are none. */
  readonly rows: 'items.item' | 'items' | 'data' | 'head-row';
  readonly empty: 'text' | 'list' | 'missing' | 'object';
  /** A single row of `items.item` is the object itself, as XML converters make it. */
  readonly oneIsObject: boolean;
  /** Header and body of JSON stand in a `response`. */
  readonly wrapped: boolean;
  /** Texts of XML stand in CDATA sections. */
  readonly cdata: boolean;
  /** Texts hold HTML that was escaped before the XML was written. */
  readonly escapedTwice: boolean;
}

const pageUsual = { number: 'pageNo', size: 'numOfRows', sizeUsual: 10, sizeMax: 10_000 } as const;
const xmlConverted = {
  json: { parameter: '_type', value: 'json' },
  page: pageUsual,
  success: ['00', 'NORMAL SERVICE.'],
  noData: null,
  values: 'converted',
  counters: 'number',
  rows: 'items.item',
  empty: 'text',
  oneIsObject: true,
  wrapped: true,
  cdata: false,
  escapedTwice: false,
} as const;

export const families: Readonly<Record<FamilyName, Family>> = {
  sbiz: {
    ...xmlConverted,
    json: { parameter: 'type', value: 'json' },
    page: { ...pageUsual, sizeMax: 1000 },
    success: ['00', 'NORMAL SERVICE'],
    noData: ['03', 'NODATA_ERROR'],
    values: 'typed',
    rows: 'items',
    empty: 'missing',
    oneIsObject: false,
    wrapped: false,
  },
  // In an answer recorded in 2026 a single row is still a list; other agencies send the bare object.
  kto: { ...xmlConverted, success: ['0000', 'OK'], values: 'typed', oneIsObject: false },
  kma: {
    ...xmlConverted,
    json: { parameter: 'dataType', value: 'JSON' },
    page: { ...pageUsual, sizeMax: 1000 },
    success: ['00', 'NORMAL_SERVICE'],
    noData: ['03', 'NO_DATA'],
    values: 'typed',
    empty: 'missing',
    oneIsObject: false,
  },
  kcisa: {
    ...xmlConverted,
    json: null,
    page: { ...pageUsual, number: 'PageNo', size: 'numOfrows' },
    escapedTwice: true,
  },
  cltr: {
    ...xmlConverted,
    json: { parameter: 'resultType', value: 'json' },
    page: { ...pageUsual, sizeMax: 1000 },
    values: 'text',
    counters: 'text',
    rows: 'data',
    empty: 'list',
    oneIsObject: false,
  },
  nmc: xmlConverted,
  kasi: xmlConverted,
  nec: {
    ...xmlConverted,
    json: { parameter: 'resultType', value: 'json' },
    page: { ...pageUsual, sizeMax: 100 },
    success: ['INFO-00', 'NORMAL SERVICE'],
    noData: ['INFO-03', '데이터 정보가 없습니다. 입력 파라미터값을 확인하여 주시기 바랍니다.'],
    values: 'text',
    counters: 'text',
    empty: 'missing',
  },
  tago: { ...xmlConverted, page: { ...pageUsual, sizeMax: 10_000 } },
  std: {
    ...xmlConverted,
    json: { parameter: 'type', value: 'json' },
    page: { ...pageUsual, sizeUsual: 100, sizeMax: 1000 },
    success: ['00', 'NORMAL_SERVICE'],
    noData: ['03', 'NODATA_ERROR'],
    values: 'text',
    counters: 'text',
    rows: 'items',
    empty: 'missing',
    oneIsObject: false,
    cdata: true,
  },
  airport: {
    ...xmlConverted,
    json: { parameter: 'type', value: 'json' },
    page: { ...pageUsual, sizeMax: 500 },
    values: 'text',
    rows: 'items',
    empty: 'list',
    oneIsObject: false,
  },
  mois: {
    ...xmlConverted,
    json: { parameter: 'type', value: 'json' },
    page: { ...pageUsual, sizeMax: 1000 },
    success: ['INFO-0', 'NOMAL SERVICE'],
    noData: ['INFO-3', '데이터없음'],
    values: 'typed',
    rows: 'head-row',
    empty: 'missing',
    oneIsObject: false,
  },
};
