import type { StoredAxis } from '../data/axis.ts';
import { koreanDay } from '../data/korean-time.ts';
import { citationOf } from '../lookup/citation.ts';
import type { ToolContext } from './call-endpoint.ts';
import { datasetPage } from './page-links.ts';

/** A sentence to quote, in both languages: the source of an answer and its page. */
export interface Citation {
  readonly ko: string;
  readonly en: string;
}

/** Citation of a dataset, with its page. */
export function datasetCitation({ axis }: StoredAxis, context: ToolContext): Citation {
  const page = datasetPage(axis.code, context);
  return {
    ko: `${citationOf(axis, { id: null, language: 'ko' }, context.store)}, ${page}`,
    en: `${citationOf(axis, { id: null, language: 'en' }, context.store)}, ${page}`,
  };
}

/** Citation of an answer from several datasets; `page` is its address. */
export function snapshotCitation(page: string, { store: { snapshot } }: ToolContext): Citation {
  const date = koreanDay(snapshot.builtAt);
  return {
    ko: `마루 공공데이터 스냅샷 ${snapshot.id} (${date}), ${page} 출처와 이용허락은 데이터셋마다 다릅니다.`,
    en: `Maru open data, snapshot ${snapshot.id} (${date}), ${page} Sources and licences differ by dataset.`,
  };
}
