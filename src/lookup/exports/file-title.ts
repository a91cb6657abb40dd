import type { StoredAxis } from '../../data/axis.ts';
import { koreanTitle } from '../../data/readable-title.ts';
import type { SelectionParams } from '../selection.ts';

/** The title of an axis, in Korean where its words are known, with the filters of a file, in characters that every file system takes. */
export function fileTitle(
  { sido, sigungu, q, where, near, bbox }: SelectionParams,
  { axis }: Pick<StoredAxis, 'axis'>,
): string {
  const place = near === undefined ? undefined : `${near} 근처`;
  const box = bbox === undefined ? undefined : '지도 범위';
  const filters = [sido, sigungu, q, where, place, box].filter((part) => part !== undefined);
  const title = koreanTitle(axis.title);
  if (filters.length === 0) return title;
  const text = filters
    .join(' ')
    .replaceAll(/<>|[<>]=?/g, (operator) => signs[operator]!)
    .replaceAll(/["'\\/:|?*\p{Cc}]/gu, ' ')
    .replaceAll(/ +/g, ' ')
    .trim();
  // A name of a file has 255 bytes; a syllable takes three.
  const room = Math.max(0, lengthMax - [...title].length);
  return `${title} ${[...text].slice(0, room).join('')}`.trim();
}

const lengthMax = 75;
const signs: Readonly<Record<string, string>> = {
  '>=': '≥',
  '<=': '≤',
  '<>': '≠',
  '>': '＞',
  '<': '＜',
};
