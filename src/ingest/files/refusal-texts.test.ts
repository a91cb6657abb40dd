import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BilingualText } from '../../contract/language.ts';
import { gatewayWords, odcloudCodes, resultCodes } from '../../data/portal/result-codes.ts';
import { boundaryReasons, boundaryTexts } from '../boundaries/refusal-texts.ts';
import { catalogRefusalTexts } from '../catalog/refusal-texts.ts';
import { skipTexts } from '../load/skip-texts.ts';
import { fileKinds } from './file-kinds.ts';
import { refusalTexts } from './refusal-texts.ts';
import { treeRefusalTexts } from './tree-refusal-texts.ts';

/** Arguments for each sentence of a table; the compiler refuses a table with a further sentence. */
type Samples<Texts extends Readonly<Record<string, (...values: never[]) => BilingualText>>> = {
  readonly [Key in keyof Texts]: Parameters<Texts[Key]>;
};

const name = 'data.csv';
const reason = { ko: '까닭', en: 'a reason' };
const many = Array.from({ length: 12 }, (_, at) => `list${at} (3)`);

const general: Samples<typeof refusalTexts> = {
  empty: [name],
  onlyBlanks: [name],
  noMembers: [name],
  notFile: [name, reason],
  gone: [name],
  changed: [name, 1n, 2n],
  document: [name, reason],
  documents: [name, many],
  otherFormat: [name, reason],
  desktopFile: [name],
  besideShapefile: [name],
  noTableInside: [name, [reason, reason]],
  nested: [name, 2],
  tooManyMembers: [name, 2, 1],
  memberOutside: [name, '../a.csv'],
  someMemberOutside: [name],
  declaredTooLarge: [name, 2, 1],
  inflatesTooFar: [name, 1],
  inflatesTooMuch: [name, 1],
  archiveTooLarge: [name, 1],
  workbookTooLarge: [name, 2, 1],
  memberEncrypted: [name],
  workbookEncrypted: [name],
  checksum: [name],
  zipTruncated: [name],
  notZip: [name, 'invalid local file header'],
  gzipTruncated: [name],
  notGzip: [name],
  notWorkbook: [name],
  noSheets: [name],
  sheetsEmpty: [name, ['Sheet1']],
  sheetMissing: [name, 'Sheet2', ['Sheet1']],
  sheetTooLarge: [name, 'Sheet1', 1],
  archivedPageWithoutTable: [name],
  documentTooLong: [name, 1],
  webPage: [name],
  portalError: [name, '30', 'SERVICE_KEY_IS_NOT_REGISTERED_ERROR', reason],
  noRecords: [name],
  lettersLost: [name],
  binary: [name],
  nulBytes: [name],
  prose: [name],
  printedReport: [name],
  spooledColumns: [name],
  spooledCount: [name, '12', 11],
  tableTooWide: [1],
  lineTooLong: [1],
  delimitedLineTooLong: [2, 1],
  dbfHeaderTruncated: [name],
  dbfFields: [name, 2, 1],
  dbfTruncated: [name, 3, 4],
  notShapefile: [name],
  notParquet: [name],
  parquetColumns: [name, 0, 1],
  parquetCodec: [name, 'LZO'],
  parquetGroupTooLarge: [name, 'a', 2n, 1],
};

const trees: Samples<typeof treeRefusalTexts> = {
  jsonTruncated: [],
  jsonTooDeep: [],
  jsonRecordTooLong: [1],
  jsonTooWide: [name, 2, 1],
  jsonRecordsBroken: [name, reason],
  jsonFault: ['items', 1, reason],
  jsonWithoutList: [name],
  jsonListMissing: [name, 'rows', many],
  jsonTooManyLists: [name, many, 1],
  topoJson: [name],
  xmlWithoutRows: [name],
  xmlWithoutRepeats: [name],
  xmlTooManyKinds: [name, 1],
  xmlTooDeep: [name],
  xmlTextTooLong: [name, 1],
  xmlTagTooLong: [1],
  xmlTooWide: [2, 1],
  truncated: [name],
  notXml: [name, '3', 'unexpected close tag (line: 3)'],
  kmlWithoutPlacemarks: [name],
  kmlTooWide: [name, 1],
};

const boundaries: Samples<typeof boundaryTexts> = {
  notText: [name],
  notJson: [name],
  unreadable: [name],
  notAreas: [name],
  damaged: [name, reason],
  tooLarge: [name, reason],
  notDegrees: [name],
  noRegion: [name, 'Seoul'],
};

const reasons: Samples<typeof boundaryReasons> = {
  arcWithoutPositions: [],
  arcMissing: ['7'],
  withoutRings: ['Polygon'],
  notPosition: [],
  positions: [1],
  features: [1],
  megabytes: [1],
};

const skips: Samples<typeof skipTexts> = {
  sameBytes: [name],
  sameRows: [name],
  newer: [name],
  noTable: [name],
  noRecord: [name],
  nameUnreadable: [name],
  diskFull: [],
  internal: ['ReferenceError'],
  otherFormat: [name, 1, 2],
};

const lists: Samples<typeof catalogRefusalTexts> = { notList: [['id']] };

function sentencesOf(table: object, samples: object): [key: string, text: BilingualText][] {
  return Object.entries(samples).map(([key, values]) => {
    const sentence = (table as Record<string, (...values: unknown[]) => BilingualText>)[key]!;
    return [key, sentence(...(values as unknown[]))];
  });
}

const texts: readonly [key: string, text: BilingualText][] = [
  ...sentencesOf(refusalTexts, general),
  ...sentencesOf(treeRefusalTexts, trees),
  ...sentencesOf(boundaryTexts, boundaries),
  ...sentencesOf(boundaryReasons, reasons),
  ...sentencesOf(skipTexts, skips),
  ...sentencesOf(catalogRefusalTexts, lists),
  ...Object.entries(fileKinds),
  ...resultCodes.map(([code, , , meaning]): [string, BilingualText] => [code, meaning]),
  ...odcloudCodes.map(([code, , meaning]): [string, BilingualText] => [String(code), meaning]),
  ...gatewayWords.map(([start, , , meaning]): [string, BilingualText] => [start, meaning]),
];

/** Korean names that an English sentence has: levels of regions, and the title of a dataset. */
const koreanNames = /시도|시군구|목록개방현황/gu;

test('a refusal is Korean for a Korean reader and English for an English one', () => {
  assert.ok(texts.length > 130, String(texts.length));
  for (const [key, { ko, en }] of texts) {
    assert.match(ko, /[가-힣]/u, key);
    assert.doesNotMatch(ko, /[A-Za-z]+ [a-z]+ [a-z]+ [a-z]+|\b(?:is|are|the|not|has)\b/u, key);
    assert.doesNotMatch(en.replaceAll(koreanNames, ''), /[가-힣]/u, key);
  }
});
