import type { CatalogType, License } from '../../data/axis.ts';

/** Type of a dataset, from any spelling of the list, such as `파일(데이터)` or `오픈API`; null if it is unknown. */
export function catalogTypeOf(text: string): CatalogType | null {
  return typeSpellings.get(text.replaceAll(/[\s()]/g, '').toUpperCase()) ?? null;
}

/**
 * ISO 8601 duration of an update cycle (업데이트 주기). 실시간 is `PT0S`. Null for 수시, 1회성 and every other cycle
 * without a fixed length.
 */
export function updateCycleOf(text: string | null): string | null {
  if (text === null) return null;
  const word = text.replaceAll(/\s/g, '');
  const knownCycle = cycles.get(word);
  if (knownCycle !== undefined) return knownCycle;
  const match = /^(\d{1,2})(년|개월|주|일|시간)(?:마다|주기|간격)?$/.exec(word);
  if (match?.[1] === undefined || match[2] === undefined) return null;
  const length = Number(match[1]);
  if (length === 0) return null;
  return match[2] === '시간' ? `PT${length}H` : `P${length}${cycleUnits[match[2]] ?? 'D'}`;
}

/**
 * Licence of an 이용허락범위. The 공공누리 types are written as numbers or in words: 제2유형 is 상업적 이용금지,
 * 제3유형 is 변경금지, 제4유형 is both.
 */
export function licenseOf(text: string | null): License | null {
  if (text === null || /^(?:not stated|unknown|미상|없음|-)$/i.test(text.trim())) return null;
  const word = text.replaceAll(/\s/g, '');
  if (/제3자/.test(word)) return { id: 'third-party-rights', name: text, url: portalPolicyUrl };
  const writtenType = /제?([0-4])유형/.exec(word)?.[1];
  const isNoncommercial = /상업/.test(word);
  const isUnchangeable = /변경금지/.test(word);
  const type =
    writtenType ??
    (isNoncommercial ? (isUnchangeable ? '4' : '2') : isUnchangeable ? '3' : attributionType(word));
  if (type !== null) return { id: `KOGL-${type}`, name: text, url: koglUrl };
  if (/제한없음/.test(word)) return { id: 'unrestricted', name: text, url: portalPolicyUrl };
  const [, publicDomain, parts] = creativeCommons.exec(text) ?? [];
  if (publicDomain !== undefined) return { id: 'CC0', name: text, url: ccUrl };
  if (parts !== undefined)
    return { id: `CC-${parts.toUpperCase().replaceAll(/\W/g, '-')}`, name: text, url: ccUrl };
  return { id: 'other', name: text, url: null };
}

/** Splits a list of the portal; trims the items and drops empty and repeated ones. */
export function splitList(text: string | null, separator: RegExp = /[,;]/): string[] {
  if (text === null) return [];
  const items = text.split(separator).map((item) => item.trim().replace(/^#/, ''));
  return [...new Set(items)].filter((item) => item !== '' && item !== '-').slice(0, listItemsMax);
}

/** No dataset of the portal has more keywords; a longer list comes from a shifted column. */
export const listItemsMax = 200;

/** `CC BY 4.0`, `cc-by-nc-sa`, `CC0 1.0`. */
const creativeCommons = /\bCC[- ]?(?:(0|zero)|(BY(?:[- ]NC)?(?:[- ](?:SA|ND))?))\b/i;
const ccUrl = 'https://creativecommons.org/share-your-work/cclicenses/';
const portalPolicyUrl = 'https://www.data.go.kr/ugs/selectPortalPolicyView.do';
const koglUrl = 'https://www.kogl.or.kr/info/license.do';

const typeSpellings: ReadonlyMap<string, CatalogType> = new Map([
  ['FILE', 'FILE'],
  ['파일', 'FILE'],
  ['파일데이터', 'FILE'],
  ['FILEDATA', 'FILE'],
  ['API', 'API'],
  ['오픈API', 'API'],
  ['OPENAPI', 'API'],
  ['STD', 'STD'],
  ['표준', 'STD'],
  ['표준데이터', 'STD'],
  ['표준데이터셋', 'STD'],
  ['STANDARD', 'STD'],
  ['LINKED', 'LINKED'],
  ['연계', 'LINKED'],
  ['연계데이터', 'LINKED'],
  ['LINKEDDATA', 'LINKED'],
]);

const cycles: ReadonlyMap<string, string> = new Map([
  ['실시간', 'PT0S'],
  ['시간', 'PT1H'],
  ['매시간', 'PT1H'],
  ['일간', 'P1D'],
  ['매일', 'P1D'],
  ['일', 'P1D'],
  ['주간', 'P1W'],
  ['매주', 'P1W'],
  ['격주', 'P2W'],
  ['월간', 'P1M'],
  ['매월', 'P1M'],
  ['월', 'P1M'],
  ['격월', 'P2M'],
  ['분기', 'P3M'],
  ['분기별', 'P3M'],
  ['반기', 'P6M'],
  ['반기별', 'P6M'],
  ['연간', 'P1Y'],
  ['년간', 'P1Y'],
  ['매년', 'P1Y'],
  ['연', 'P1Y'],
  ['격년', 'P2Y'],
]);

const cycleUnits: Readonly<Record<string, string>> = { 년: 'Y', 개월: 'M', 주: 'W', 일: 'D' };

function attributionType(word: string): string | null {
  return /저작자|출처표시/.test(word) ? '1' : null;
}
