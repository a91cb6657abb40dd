import type { StoredAxis } from '../data/axis.ts';
import { koreanDay } from '../data/korean-time.ts';
import { citationOf } from '../lookup/citation.ts';
import type { LookupStore } from '../lookup/store/store.ts';

/** A ready sentence that names the source of an answer, in both languages. */
export interface Citation {
  readonly ko: string;
  readonly en: string;
}

/** Citation of a dataset; that of sample data names it as such. */
export function datasetCitation({ axis }: StoredAxis, store: LookupStore): Citation {
  const isSample = axis.origin === 'sample';
  const ko = citationOf(axis, { id: null, language: 'ko' }, store);
  const en = citationOf(axis, { id: null, language: 'en' }, store);
  return isSample ? { ko: `${ko} (예시 데이터)`, en: `${en} (sample data)` } : { ko, en };
}

/** Citation of an answer from several datasets. */
export function snapshotCitation({ snapshot }: LookupStore): Citation {
  const date = koreanDay(snapshot.builtAt);
  return {
    ko: `마루 공공데이터 스냅샷 ${snapshot.id} (${date}). 출처와 이용허락은 데이터셋마다 다릅니다.`,
    en: `Maru open data, snapshot ${snapshot.id} (${date}). Sources and licences differ by dataset.`,
  };
}
