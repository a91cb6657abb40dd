import type { SampledValue } from './column.ts';
import { isMissing } from '../../data/values/shapes.ts';

/** Shares of the sampled rows, from 0 to 1, whose text reads as a place. */
export interface PlaceShares {
  readonly sido: number;
  readonly sigungu: number;
  /** Text that begins with a sido and continues, such as `강원 강릉시` or a whole address. */
  readonly region: number;
  readonly address: number;
}

/** Shares of a column's sample, without missing markers and words for totals; null if nothing is left. */
export function placeShares(sample: readonly SampledValue[]): PlaceShares | null {
  let rows = 0;
  const counts = { sido: 0, sigungu: 0, region: 0, address: 0 };
  for (const { text, shape, count } of sample) {
    if (isMissing(shape) || totalWord.test(text)) continue;
    rows += count;
    if (sidoName.test(text)) counts.sido += count;
    else if (sigunguName.test(text)) counts.sigungu += count;
    const hasSidoPrefix = sidoPrefix.test(text);
    if (hasSidoPrefix) counts.region += count;
    if (hasSidoPrefix || streetOrLot.test(text) || districtThenPlace.test(text))
      counts.address += count;
  }
  if (rows === 0) return null;
  return {
    sido: counts.sido / rows,
    sigungu: counts.sigungu / rows,
    region: counts.region / rows,
    address: counts.address / rows,
  };
}

/** Recognises a sido for the role of a column; the region table decides which region a text means. */
const sido =
  '(?:(?:서울|부산|대구|인천|광주|대전|울산|세종)(?:특별자치시|특별시|광역시|직할시|시)?|경기도?|강원(?:특별자치도|도)?|' +
  '(?:충청|전라|경상)[북남]도|충[북남]도?|전북(?:특별자치도|도)?|전남광주(?:통합특별시)?|전남도?|경[북남]도?|제주(?:특별자치도|도)?)';
/** Statistics by region have a row for the country, and one for each sido as a whole. */
const totalWord = /^(?:전국|[합총소]?\s?계)$/;
const sidoName = new RegExp(`^${sido}$`);
const sidoPrefix = new RegExp(`^${sido}\\s+[가-힣]+\\S`);
/** The police write `창원시(통합)`. */
const sigunguName = /^(?:[가-힣]{1,6}시\s?)?[가-힣]{1,6}[시군구](?:\s?\([^()]*\))?$/;
const streetOrLot = /[가-힣](?:\d*가|동|리|로|길|읍|면|번길)\s*(?:산\s*)?\d+/;
const districtThenPlace = /[가-힣][시군구]\s+[가-힣\d·]+(?:읍|면|동|가|로|길|리)(?:\s|$|\d)/;
