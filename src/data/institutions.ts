import { findRegion } from './regions/find-region.ts';

/** The institution of the state or the region with whose name a title begins; null if it begins with none. */
export function institutionInTitle(title: string): string | null {
  const words = title.split(/[\s_]+/);
  const [first = '', second] = words;
  if (institutions.has(first)) return first;
  // Short names of regions are places as often as makers: 서울 지하철 노선.
  const sido = findRegion(first);
  if (sido === null || sido.sido.name !== first) return null;
  const sigungu = second === undefined ? null : findRegion(first, second);
  return sigungu?.sigungu?.name === second ? `${first} ${second}` : first;
}

/** Names of central agencies by the Government Organization Act, former ones too, and of public institutions (ALIO). */
const institutions: ReadonlySet<string> = new Set(
  `기획재정부 재정경제부 기획예산처 교육부 과학기술정보통신부 외교부 통일부 법무부 국방부 행정안전부 국가보훈부 국가보훈처 문화체육관광부
   농림축산식품부 산업통상자원부 산업통상부 보건복지부 환경부 기후에너지환경부 고용노동부 여성가족부 성평등가족부 국토교통부 해양수산부
   중소벤처기업부 법제처 식품의약품안전처 인사혁신처 국가데이터처 지식재산처
   국세청 관세청 조달청 통계청 재외동포청 우주항공청 검찰청 대검찰청 병무청 방위사업청 경찰청 소방청 국가유산청 문화재청 농촌진흥청 산림청 특허청
   질병관리청 기상청 행정중심복합도시건설청 새만금개발청 해양경찰청
   공정거래위원회 금융위원회 국민권익위원회 개인정보보호위원회 방송통신위원회 원자력안전위원회 중앙선거관리위원회 국가인권위원회 감사원 헌법재판소
   건강보험심사평가원 국민건강보험공단 국민연금공단 근로복지공단 한국승강기안전공단 한국관광공사 한국도로공사 한국철도공사 국가철도공단
   한국토지주택공사 한국부동산원 한국전력공사 한국수자원공사 한국환경공단 한국가스공사 한국가스안전공사 한국전기안전공사 한국교통안전공단
   한국도로교통공단 한국자산관리공사 소상공인시장진흥공단 한국소비자원 한국천문연구원 한국농수산식품유통공사 인천국제공항공사 한국공항공사
   국토안전관리원 한국석유공사 한국지역난방공사 예금보험공사 한국산업인력공단 한국고용정보원 한국장학재단 한국교육학술정보원 한국문화정보원
   한국사회보장정보원 국립공원공단 한국해양교통안전공단 한국농어촌공사 한국마사회 국립생태원 국립중앙도서관 국립중앙의료원`.split(
    /\s+/,
  ),
);
