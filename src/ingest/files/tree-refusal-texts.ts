import type { BilingualText } from '../../contract/language.ts';
import { listOf } from './refusal-texts.ts';

/** Sentences of the refusals of JSON, XML and KML, in both languages. `name` is that of the file or member. */
export const treeRefusalTexts = {
  jsonTruncated: () =>
    text(
      'JSON이 중간에 끊겼습니다. 다시 내려받으세요.',
      'The JSON ends in the middle; download it again.',
    ),
  jsonTooDeep: () =>
    text(
      'JSON이 너무 깊이 중첩되어 표가 아닙니다.',
      'The JSON is nested too deeply to be a table.',
    ),
  jsonRecordTooLong: (unitsMax: number) =>
    text(
      `JSON의 레코드 하나가 ${unitsMax}자보다 길어 표가 아닙니다. 파일을 확인하세요.`,
      `A record of the JSON is longer than ${unitsMax} characters; it is not a table. Check the file.`,
    ),
  jsonTooWide: (name: string, members: number, columnsMax: number) =>
    text(
      `${name}: 레코드의 항목이 ${members}가지로, 한도 ${columnsMax}가지보다 많습니다.`,
      `The records of ${name} have ${members} different members, more than ${columnsMax}.`,
    ),
  jsonRecordsBroken: (name: string, fault: BilingualText) =>
    text(`${name}: ${fault.ko}`, `${name}: ${fault.en}`),
  jsonFault: (list: string, record: number, reason: BilingualText) =>
    text(
      `${list === '' ? '' : `${list}: `}읽을 수 있는 레코드가 없습니다. ${record}번째 레코드: ${reason.ko}`,
      `${list === '' ? '' : `${list} has `}no record that can be read. Record ${record}: ${reason.en}`,
    ),
  jsonWithoutList: (name: string) =>
    text(
      `${name}: JSON이지만 행이 될 객체 목록이 없습니다. [{"이름": 값, …}, …]처럼 적으세요.`,
      `${name} is JSON, but has no list of objects that could be rows; write it as [{"name": value, …}, …].`,
    ),
  jsonListMissing: (name: string, list: string, lists: readonly string[]) =>
    text(
      `${name}: ${list} 목록이 없습니다. 목록: ${listOf(lists, listsShown, 'ko')}`,
      `${name} has no list at ${list}; it has: ${listOf(lists, listsShown, 'en')}.`,
    ),
  jsonTooManyLists: (name: string, lists: readonly string[], tablesMax: number) =>
    text(
      `${name}: 레코드 목록이 ${lists.length}개로, 표의 한도 ${tablesMax}개보다 많습니다(${listOf(lists, listsShown, 'ko')}). 필요한 목록만 --sheet로 불러오세요.`,
      `${name} has ${lists.length} lists of records, more than ${tablesMax} tables: ${listOf(lists, listsShown, 'en')}. Load those that you need with --sheet.`,
    ),
  topoJson: (name: string) =>
    text(
      `${name}: 도형만 있고 레코드가 없는 TopoJSON입니다. 속성을 CSV나 GeoJSON으로 불러오세요.`,
      `${name} is TopoJSON, which has shapes and no records; load the attributes as CSV or GeoJSON.`,
    ),
  xmlWithoutRows: (name: string) =>
    text(
      `${name}: 행이 될 요소가 없는 XML입니다. 다른 형식으로 불러오세요.`,
      `${name} is XML without an element that could be a row; load it in another format.`,
    ),
  xmlWithoutRepeats: (name: string) =>
    text(
      `${name}: 반복되는 요소가 없어 표가 없는 XML입니다. 다른 형식으로 불러오세요.`,
      `${name} is XML without a table: no element repeats. Load it in another format.`,
    ),
  xmlTooManyKinds: (name: string, kindsMax: number) =>
    text(
      `${name}: 레코드의 종류가 ${kindsMax}가지보다 많습니다. 여러 파일로 나누세요.`,
      `${name} has more than ${kindsMax} kinds of records; split it into several files.`,
    ),
  xmlTooDeep: (name: string) =>
    text(
      `${name}: 너무 깊이 중첩되어 표가 아닙니다.`,
      `${name} is nested too deeply to be a table.`,
    ),
  xmlTextTooLong: (name: string, unitsMax: number) =>
    text(
      `${name}: 글 하나가 ${unitsMax}자보다 길어 표가 아닙니다.`,
      `${name} has a text longer than ${unitsMax} characters: this is not a table.`,
    ),
  xmlTagTooLong: (unitsMax: number) =>
    text(
      `XML의 태그 하나가 ${unitsMax}자보다 길어 표가 아닙니다.`,
      `A tag of the XML is longer than ${unitsMax} characters: this is not a table.`,
    ),
  xmlTooWide: (elements: number, columnsMax: number) =>
    text(
      `레코드 하나의 요소가 ${elements}가지로, 한도 ${columnsMax}가지보다 많습니다.`,
      `A record has ${elements} different elements, more than ${columnsMax}.`,
    ),
  truncated: (name: string) =>
    text(
      `${name}: 파일이 중간에 끊겼습니다. 다시 내려받으세요.`,
      `${name} ends in the middle; download it again.`,
    ),
  notXml: (name: string, line: string | null, reason: string) =>
    text(
      `${name}: XML이 아닙니다${line === null ? '' : `(${line}번째 줄)`}. 다시 내려받으세요.`,
      `${name} is not XML: ${reason}.`,
    ),
  kmlWithoutPlacemarks: (name: string) =>
    text(
      `${name}: 위치 표시(Placemark)가 없는 KML입니다. 위치 표시가 있는 파일을 불러오세요.`,
      `${name} is KML without placemarks; load the file that has them.`,
    ),
  kmlTooWide: (name: string, columnsMax: number) =>
    text(
      `${name}: 위치 표시(Placemark)의 항목이 ${columnsMax}가지보다 많습니다.`,
      `The placemarks of ${name} have more than ${columnsMax} different fields.`,
    ),
} as const;

/** Lists that a refusal names, the best first. */
const listsShown = 10;

function text(ko: string, en: string): BilingualText {
  return { ko, en };
}
