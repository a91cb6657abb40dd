/** Areas in the tourism organisation's own numbers, with the code of the sido each was or is. */
export const tourAreas: readonly TourArea[] = [
  ['1', '서울', '11'],
  ['2', '인천', '28'],
  ['3', '대전', '30'],
  ['4', '대구', '27'],
  ['5', '광주', '12'],
  ['6', '부산', '26'],
  ['7', '울산', '31'],
  ['8', '세종특별자치시', '36'],
  ['31', '경기도', '41'],
  ['32', '강원특별자치도', '51'],
  ['33', '충청북도', '43'],
  ['34', '충청남도', '44'],
  ['35', '경상북도', '47'],
  ['36', '경상남도', '48'],
  ['37', '전북특별자치도', '52'],
  ['38', '전라남도', '12'],
  ['39', '제주도', '50'],
].map(([code = '', name = '', sido = '']) => ({ code, name, sido }));

export interface TourArea {
  readonly code: string;
  readonly name: string;
  readonly sido: string;
}

/** Main codes of the new classification. */
const systemMainNames: Readonly<Record<string, string>> = {
  AC: '숙박',
  C0: '추천코스',
  EV: '축제/공연/행사',
  EX: '체험관광',
  FD: '음식',
  HS: '역사관광',
  LS: '레저스포츠',
  NA: '자연관광',
  SH: '쇼핑',
  VE: '문화관광',
};

/** The service categories that clients have known since 2010, and what has replaced them. */
export const tourKinds: readonly TourKind[] = readKinds();

export interface TourKind {
  /** 12 관광지, 14 문화시설, 15 축제·공연·행사, 25 여행코스, 28 레포츠, 32 숙박, 38 쇼핑, 39 음식점. */
  readonly contentType: string;
  readonly cat1: TourCode;
  readonly cat2: TourCode;
  readonly cat3: TourCode;
  /** The new classification: main, middle and small code. */
  readonly system: readonly [TourCode, TourCode, TourCode];
}

export interface TourCode {
  readonly code: string;
  readonly name: string;
}

function readKinds(): TourKind[] {
  return kindLines()
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [contentType = '', cat1 = '', cat2 = '', middle = '', names = ''] = line.split('|');
      const systemMiddle = codeOf(middle);
      const systemMain = { code: systemMiddle.code.slice(0, 2), name: mainName(systemMiddle.code) };
      return names.split(',').map((text, at): TourKind => {
        const cat3 = codeOf(text);
        const small = `${systemMiddle.code}${String(at + 1).padStart(2, '0')}00`;
        return {
          contentType,
          cat1: codeOf(cat1),
          cat2: codeOf(cat2),
          cat3: { code: `${codeOf(cat2).code}${cat3.code}`, name: cat3.name },
          system: [systemMain, systemMiddle, { code: small, name: cat3.name }],
        };
      });
    });
}

function mainName(code: string): string {
  return systemMainNames[code.slice(0, 2)] ?? '';
}

function codeOf(text: string): TourCode {
  const space = text.indexOf(' ');
  return { code: text.slice(0, space), name: text.slice(space + 1) };
}

// Content type, categories 1 and 2, middle code of the new classification, and category 3 by its last digits.
// The old codes are those of the manuals; which small code of the new classification follows which is ours.
function kindLines(): string {
  return `
12|A01 자연|A0101 자연관광지|NA01 자연경관(산)|0100 국립공원,0200 도립공원,0300 군립공원,0400 산,0600 자연휴양림,0700 수목원
12|A01 자연|A0101 자연관광지|NA02 자연경관(하천·해양)|0800 폭포,0900 계곡,1000 약수터,1100 해안절경,1200 해수욕장,1300 섬,1400 항구/포구,1600 등대,1700 호수,1800 강,1900 동굴
12|A01 자연|A0102 관광자원|NA03 자연생태|0100 희귀동.식물,0200 기암괴석
12|A02 인문(문화/예술/역사)|A0201 역사관광지|HS01 역사유적지|0100 고궁,0200 성,0300 문,0400 고택,0500 생가,0600 민속마을,0700 유적지/사적지
12|A02 인문(문화/예술/역사)|A0201 역사관광지|HS03 종교성지|0800 사찰,0900 종교성지
12|A02 인문(문화/예술/역사)|A0201 역사관광지|HS04 안보관광지|1000 안보관광
12|A02 인문(문화/예술/역사)|A0202 휴양관광지|EX05 웰니스관광|0300 온천/욕장/스파,0400 이색찜질방,0500 헬스투어
12|A02 인문(문화/예술/역사)|A0202 휴양관광지|VE02 테마공원|0200 관광단지,0600 테마공원,0700 공원,0800 유람선/잠수함관광
12|A02 인문(문화/예술/역사)|A0203 체험관광지|EX03 농산어촌체험|0100 농.산.어촌 체험,0200 전통체험,0300 산사체험,0400 이색체험,0600 이색거리
12|A02 인문(문화/예술/역사)|A0204 산업관광지|EX06 산업관광|0400 발전소,0600 식음료,0700 공예,0800 기타
12|A02 인문(문화/예술/역사)|A0205 건축/조형물|VE01 랜드마크관광|0100 다리/대교,0200 기념탑/기념비/전망대,0300 분수,0400 동상,0500 터널,0600 유명건물
14|A02 인문(문화/예술/역사)|A0206 문화시설|VE07 전시시설|0100 박물관,0200 기념관,0300 전시관,0400 컨벤션센터,0500 미술관/화랑
14|A02 인문(문화/예술/역사)|A0206 문화시설|VE06 공연시설|0600 공연장,0700 문화원,0800 외국문화원
14|A02 인문(문화/예술/역사)|A0206 문화시설|VE08 교육시설|0900 도서관,1000 대형서점,1100 문화전수시설,1200 영화관
15|A02 인문(문화/예술/역사)|A0207 축제|EV01 축제|0100 문화관광축제,0200 일반축제
15|A02 인문(문화/예술/역사)|A0208 공연/행사|EV02 공연|0100 전통공연,0200 연극,0300 뮤지컬,0400 오페라,0800 무용,0900 클래식음악회,1000 대중콘서트
15|A02 인문(문화/예술/역사)|A0208 공연/행사|EV03 행사|0500 전시회,0600 박람회,0700 컨벤션,1200 스포츠경기,1300 기타행사
28|A03 레포츠|A0302 육상 레포츠|LS01 육상레저스포츠|0200 수련시설,0300 경기장,0500 자전거하이킹,0700 골프,1100 승마,1200 스키/스노보드,1300 스케이트,1400 썰매장,1600 사격장,1700 야영장/오토캠핑장,1800 암벽등반,2200 트래킹
28|A03 레포츠|A0303 수상 레포츠|LS02 수상레저스포츠|0100 윈드서핑/제트스키,0200 카약/카누,0300 요트,0400 스노쿨링/스킨스쿠버다이빙,0500 민물낚시,0600 바다낚시,0700 수영,0800 래프팅
28|A03 레포츠|A0304 항공 레포츠|LS03 항공레저스포츠|0100 스카이다이빙,0200 초경량비행,0300 헹글라이딩/패러글라이딩,0400 열기구
28|A03 레포츠|A0305 복합 레포츠|LS04 복합레저스포츠|0100 복합 레포츠
38|A04 쇼핑|A0401 쇼핑|SH06 시장|0100 5일장,0200 상설시장
38|A04 쇼핑|A0401 쇼핑|SH05 전문매장/상가|0300 백화점,0400 면세점,0500 대형마트,0600 전문매장/상가,0700 공예/공방,0900 특산물판매점
39|A05 음식|A0502 음식점|FD01 한식|0100 한식
39|A05 음식|A0502 음식점|FD02 외국식|0200 서양식,0300 일식,0400 중식,0700 이색음식점
39|A05 음식|A0502 음식점|FD05 카페/찻집|0900 카페/전통찻집,1000 클럽
32|B02 숙박|B0201 숙박시설|AC01 호텔|0100 관광호텔,1300 서비스드레지던스
32|B02 숙박|B0201 숙박시설|AC02 콘도미니엄|0500 콘도미니엄
32|B02 숙박|B0201 숙박시설|AC03 펜션/민박|0700 펜션,1000 민박,1200 홈스테이,1600 한옥
32|B02 숙박|B0201 숙박시설|AC04 모텔|0900 모텔
32|B02 숙박|B0201 숙박시설|AC06 호스텔|0600 유스호스텔,1100 게스트하우스
25|C01 추천코스|C0112 가족코스|C001 가족코스|0001 가족코스
25|C01 추천코스|C0114 힐링코스|C002 힐링코스|0001 힐링코스
25|C01 추천코스|C0117 맛코스|C003 맛코스|0001 맛코스
`;
}
