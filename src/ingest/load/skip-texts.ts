import { dirname, relative } from 'node:path';
import type { BilingualText } from '../../contract/language.ts';

/** Name of the file `path` in a sentence about the file `other`, with the folder if that is another one. */
export function nameBeside(path: string, other: string): string {
  return relative(dirname(other), path).replace(/^(?:\.\.[\\/])+/, '');
}

/** Sentences about files that are not imported and the failures of an import, in both languages. */
export const skipTexts = {
  sameBytes: (name: string): BilingualText => ({
    ko: `내용이 완전히 같은 ${name} 파일만 가져왔습니다.`,
    en: `${name} has the same bytes; only one copy is imported.`,
  }),
  sameRows: (name: string): BilingualText => ({
    ko: `모든 행이 같은 ${name} 파일만 가져왔습니다.`,
    en: `${name} has the same rows; only one copy is imported.`,
  }),
  newer: (name: string): BilingualText => ({
    ko: `더 최신 파일이 있습니다: ${name}`,
    en: `${name} is newer.`,
  }),
  noTable: (name: string): BilingualText => ({
    ko: `${name}: 표가 없습니다.`,
    en: `${name} has no table.`,
  }),
  noRecord: (name: string): BilingualText => ({
    ko: `${name}: 레코드가 없습니다.`,
    en: `${name} has no record.`,
  }),
  nameUnreadable: (path: string): BilingualText => ({
    ko: `${path}: 이름이 UTF-8도 CP949도 아니거나 같은 이름의 파일이 있습니다. 이름을 바꾸어 다시 불러오세요.`,
    en: `${path}: its name is neither UTF-8 nor CP949, or another file has the same; rename it and load it again.`,
  }),
  diskFull: (): BilingualText => ({
    ko: '디스크가 가득 찼습니다.',
    en: 'The disk is full.',
  }),
  /** `reason` is the text of the error, for a report about the defect. */
  internal: (reason: string): BilingualText => ({
    ko: `Maru의 오류로 처리하지 못했습니다. 오류 내용: ${reason}`,
    en: `A defect of Maru stopped the import: ${reason}`,
  }),
  otherFormat: (name: string, rowsThere: number, rowsHere: number): BilingualText => ({
    ko: `같은 데이터를 손상이 더 적은 ${name} 파일에서 가져왔습니다(그 파일 ${rowsThere}행, 이 파일 ${rowsHere}행).`,
    en: `${name} is the same data in another format with less damage; it is imported instead (${rowsThere} rows there, ${rowsHere} here).`,
  }),
};
