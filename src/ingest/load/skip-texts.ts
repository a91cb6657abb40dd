import { dirname, relative } from 'node:path';
import type { BilingualText } from '../../contract/language.ts';

/** Name of a file in a sentence about another one, with its folder if they are in different ones. */
export function nameBeside(path: string, other: string): string {
  return relative(dirname(other), path).replace(/^(?:\.\.[\\/])+/, '');
}

/** Sentences about files that are not imported, in both languages. */
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
  otherFormat: (name: string, rowsThere: number, rowsHere: number): BilingualText => ({
    ko: `같은 데이터를 손상이 더 적은 ${name} 파일에서 가져왔습니다(그 파일 ${rowsThere}행, 이 파일 ${rowsHere}행).`,
    en: `${name} is the same data in another format with less damage; it is imported instead (${rowsThere} rows there, ${rowsHere} here).`,
  }),
};
