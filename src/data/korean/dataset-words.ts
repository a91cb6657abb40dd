/** True for words that fit any dataset: its form (목록, api), what its records have (주소), its breakdown (연도별). */
export function isDatasetWord(word: string): boolean {
  return words.has(word) || breakdowns.has(word);
}

/** Removes a word that fits any dataset from the end of a word (`도서관현황` → `도서관`); null if there is none. */
export function withoutDatasetWord(word: string): string | null {
  for (let cut = topicLengthMin; cut <= word.length - joinedLengthMin; cut++) {
    if (/[가-힣]/.test(word.charAt(cut - 1)) && words.has(word.slice(cut)))
      return word.slice(0, cut);
  }
  return null;
}

const topicLengthMin = 2;
const joinedLengthMin = 2;

const words: ReadonlySet<string> = new Set(
  `데이터 데이터셋 자료 정보 현황 통계 목록 리스트 명단 내역 추이 실적 조회 검색 서비스 조회서비스 통계정보 현황정보 상세정보
   공공데이터 표준 표준데이터 파일 다운로드 csv 엑셀 excel xlsx json xml api 오픈api openapi
   위치 위치정보 좌표 주소 소재지 전화번호 연락처 이름 명칭 운영시간 이용시간 영업시간 수 개수 건수 인원 인원수
   data dataset statistics list information info service file number count location address map
   the a an of in at on near for to by and is are all korea korean public`.split(/\s+/),
);

const breakdowns: ReadonlySet<string> = new Set(
  `전국 전체 관련 최신 최근 연도별 년도별 월별 일별 시간대별 지역별 시도별 시군구별 구별 동별 유형별 종류별 성별 연령별`.split(
    /\s+/,
  ),
);
