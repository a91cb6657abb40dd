import { withoutDatasetWord } from '../../data/korean/dataset-words.ts';
import { parseQuery } from '../../data/korean/terms.ts';
import type { LookupStore } from '../../lookup/store/store.ts';
import { regionInQuery } from './query-region.ts';
import { countIn } from './search-datasets.ts';

type Searching = Pick<LookupStore, 'topics' | 'axes'>;

/**
 * A query for a subject in a region without the words for the form of an answer: 강남구 주차장 목록. Records rarely have
 * these words. Unchanged if a dataset of the region has all other words in its title, or if the query has no region.
 */
export function withoutFormWords(q: string, { topics, axes }: Searching): string {
  const region = regionInQuery(q);
  if (region === null) return q;
  const words = region.rest.split(' ');
  const subjects = words.flatMap((word) => subjectWord(word, topics) ?? []);
  if (subjects.length === 0 || subjects.join(' ') === words.join(' ')) return q;
  const { terms } = parseQuery(region.rest);
  const all = (1 << terms.length) - 1;
  const isTitle = [...topics.subjectsOf(terms)].some(
    ([code, { fulfilled }]) => fulfilled === all && countIn(axes.get(code)!, region) > 0,
  );
  return isTitle ? q : `${region.text} ${subjects.join(' ')}`;
}

/** A word without the one for a form at its end (주차장목록); null if it is only that. */
function subjectWord(word: string, topics: Searching['topics']): string | null {
  if (formWords.has(word.toLowerCase())) return null;
  const isSubject = topics.subjectsOf(parseQuery(word).terms).size > 0;
  const subject = isSubject ? null : withoutDatasetWord(word);
  return subject !== null && formWords.has(word.slice(subject.length)) ? subject : word;
}

const formWords: ReadonlySet<string> = new Set(
  `데이터 데이터셋 자료 정보 현황 목록 리스트 명단 조회 검색 파일 다운로드 내려받기 엑셀 excel xlsx csv
   위치 위치정보 좌표 주소 소재지 list download file data location address`.split(/\s+/),
);
