import type { StoredAxis } from './axis.ts';
import { synonymsOf } from './korean/synonyms.ts';
import { shownLabel } from './shown-label.ts';

/**
 * Title of an axis for readers of Korean. A title without Hangul, as files of the web have it, has its words in Korean
 * before it, else the first fields behind it: `약국 정보 (pharmacyInfo)`, `distbe (연도, 날짜, 이름)`.
 */
export function readableTitle({ axis: { title }, fields }: Pick<StoredAxis, 'axis' | 'fields'>) {
  const korean = koreanTitle(title);
  if (/[가-힣]/.test(korean)) return korean;
  const labels = fields.slice(0, fieldsMax).map(shownLabel);
  return labels.length === 0 ? title : `${title} (${labels.join(', ')})`;
}

/** A title with its words in Korean before it, if it has no Hangul and all of them are known. */
export function koreanTitle(title: string): string {
  const korean = /[가-힣]/.test(title) ? null : inKorean(title);
  return korean === null ? title : `${korean} (${title})`;
}

const fieldsMax = 3;

/** The words of a title in Korean; null if one of them is not known. */
function inKorean(title: string): string | null {
  const words = title
    .replaceAll(/([a-z])([A-Z])|([A-Za-z])(?=(?:19|20)\d\d$)/g, '$1$3 $2')
    .split(/[\s_-]+/)
    .map((word) => word.toLowerCase());
  const koreanWords: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const pair = koreanOf(words.slice(at, at + 2).join(''));
    const korean = pair ?? koreanOf(words[at]!);
    if (korean === null) return null;
    if (pair !== null && at + 1 < words.length) at++;
    koreanWords.push(korean);
  }
  const korean = koreanWords.join(' ');
  return /[가-힣]/.test(korean) ? korean : null;
}

/** The first Korean synonym of an English word; a year stays. */
function koreanOf(word: string): string | null {
  if (/^(?:19|20)\d\d$/.test(word)) return word;
  return commonWords[word] ?? synonymsOf(word).find((one) => /[가-힣]/.test(one)) ?? null;
}

const commonWords: Readonly<Record<string, string>> = {
  info: '정보',
  list: '목록',
  data: '자료',
  busstation: '버스 정류장',
  cctv: 'CCTV',
  seoul: '서울',
  korea: '한국',
  busan: '부산',
};
