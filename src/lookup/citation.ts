import type { Language } from '../contract/language.ts';
import type { Axis } from '../data/axis.ts';
import { dateOf } from '../data/freshness.ts';
import { koreanTitle } from '../data/readable-title.ts';
import { licenseName } from '../data/license-texts.ts';
import type { LookupStore } from './store/store.ts';

interface CitedPart {
  /** Id of a record; null for the whole axis. */
  readonly id: string | null;
  /** Name of the record, where the citation is to name it. */
  readonly name?: string | null;
  /** A date of the record with the label of its field, such as the day on which a shop opened. */
  readonly recordDate?: { readonly label: string; readonly value: string } | null;
  readonly language: Language;
}

/** Provider, title, record, date and licence, as a bibliography writes them; sample data is named as such. */
export function citationOf(
  axis: Axis,
  { id, language, name = null, recordDate = null }: CitedPart,
  { snapshot }: Pick<LookupStore, 'snapshot'>,
): string {
  const isKorean = language === 'ko';
  const date = dateOf(axis);
  const isDated = axis.sourceModified !== null;
  const sampleMark = axis.origin !== 'sample' ? '' : isKorean ? ' (예시 데이터)' : ' (sample data)';
  const parts = [
    axis.provider?.name,
    (isKorean ? `「${koreanTitle(axis.title)}」` : `“${axis.titleEn ?? axis.title}”`) + sampleMark,
    name === null ? null : isKorean ? `「${name}」` : `“${name}”`,
    recordDate === null ? null : `${recordDate.label} ${recordDate.value}`,
    id === null ? null : isKorean ? `레코드 ${id}` : `record ${id}`,
    isKorean
      ? `${isDated ? '기준일' : '수집일'} ${date}`
      : `${isDated ? 'as of' : 'collected'} ${date}`,
    isKorean ? `마루 스냅샷 ${snapshot.id}` : `Maru snapshot ${snapshot.id}`,
    axis.license === null ? null : licenseName(axis.license, language),
    axis.sourceUrl,
  ];
  return parts.filter((part) => part !== undefined && part !== null).join(', ');
}
