import type { Language } from '../../contract/language.ts';
import type { StoredAxis } from '../../data/axis.ts';
import { periodOf } from '../../data/period.ts';
import { regionScope, sidoTotal, type RegionScope } from '../../data/regions/region-scope.ts';
import { fullName, regionsOn } from '../../data/regions/region-table.ts';
import { todayInSeoul } from '../../data/freshness.ts';
import type { Fact } from '../components/facts.ts';
import { html } from '../html.ts';
import { formatNumber } from '../layout.ts';
import { datasetTexts } from './dataset-texts.ts';
import { labelIn } from './dataset-view.ts';
import { scopeTexts } from './scope-texts.ts';

/**
 * The regions and the period of a dataset as a sentence, with the fields that give them. Beside some of its records its
 * evidence names them as those of all.
 */
export function scopeFact(stored: StoredAxis, language: Language, isOfPart: boolean): Fact {
  const words = scopeTexts[language];
  const scope = regionScope(stored);
  const period = periodOf(stored);
  const term = words.term;
  if (scope === null && period === null) {
    return { term, sentence: words.unknown, evidence: html``, tone: 'unknown' };
  }
  const dated =
    period === null
      ? words.noPeriod
      : datasetTexts[language].period(labelIn(period.field, language), period.from, period.to);
  const placed = scope === null ? words.noRegion : regionSentence(scope, language);
  const sentence = `${placed} ${dated}`;
  const evidence = [
    ...(isOfPart ? [words.ofAllRecords] : []),
    ...(scope === null ? [] : regionEvidence(scope, language)),
  ];
  return { term, sentence, evidence: html`${evidence.join(' · ')}`, tone: 'known' };
}

/** The regions and the period of a dataset in a few words: `서울`, `계약년월 2018-04`. */
export function scopeSummary(stored: StoredAxis, language: Language): string[] {
  return [...regionSummary(stored, language), ...periodSummary(stored, language)];
}

/** The regions of a dataset in a few words: `서울`, `인천 중구`, `시도 9곳`, `전국`; none if they are unknown. */
export function regionSummary(stored: StoredAxis, language: Language): string[] {
  const scope = regionScope(stored);
  return scope === null ? [] : [regionText(scope, language)];
}

/**
 * The period of a dataset with the field that has it, years if there are several: `개설일자 1959–2022`; none if it is
 * unknown. Beside some of its records it is named as that of all.
 */
export function periodSummary(stored: StoredAxis, language: Language, isOfPart = false): string[] {
  const period = periodOf(stored);
  if (period === null) return [];
  const { field, from, to } = period;
  const [first, last] = [from, to].map((date) => date.slice(0, 4));
  const dates = from === to ? from : first === last ? `${from}–${to}` : `${first}–${last}`;
  const text = `${labelIn(field, language)} ${dates}`;
  return [isOfPart ? scopeTexts[language].ofAll(text) : text];
}

function regionSentence(scope: RegionScope, language: Language): string {
  const { sidos, sigungu, firstShare } = scope;
  const words = scopeTexts[language];
  const total = sidoTotal();
  const [count, all] = [formatNumber(sidos.length), formatNumber(total)];
  if (sigungu !== null) return words.one(fullName(sigungu));
  if (sidos.length === 1) return words.one(sidos[0]!.name);
  if (firstShare >= mostShare) {
    return words.mostly(sidos[0]!.name, `${Math.floor(firstShare * 1000) / 10}%`);
  }
  if (sidos.length === total) return words.everywhere(all);
  const missing = regionsOn(todayInSeoul()).filter(
    (region) => region.level === 'sido' && !sidos.includes(region),
  );
  return missing.length <= missingMax
    ? words.without(count, all, missing.map(({ short }) => short).join('·'))
    : words.some(sidos.map(({ short }) => short).join('·'), count);
}

/** A few records elsewhere are mistakes, or branches of a company. */
const mostShare = 0.99;
const missingMax = 4;

function regionEvidence(scope: RegionScope, language: Language): string[] {
  const { basis, unplaced, sigungu, sigunguCount, sigunguTotal } = scope;
  const words = scopeTexts[language];
  const districts = words.sigungu(formatNumber(sigunguCount), formatNumber(sigunguTotal));
  return [
    ...(sigungu !== null || sigunguCount === 0 ? [] : [words.districtsWith(districts)]),
    words.by(basis.map((one) => words.basis[one]).join(', ')),
    ...(unplaced === 0 ? [] : [words.unplaced(formatNumber(unplaced))]),
  ];
}

function regionText({ sidos, sigungu, firstShare }: RegionScope, language: Language): string {
  const [first] = sidos;
  const words = scopeTexts[language];
  if (sigungu !== null) return `${first!.short} ${sigungu.name}`;
  if (firstShare >= mostShare) return first!.short;
  if (sidoTotal() - sidos.length <= 1) return words.nationwide;
  return sidos.length <= namedMax
    ? sidos.map(({ short }) => short).join('·')
    : words.sidos(formatNumber(sidos.length));
}

const namedMax = 3;
