/**
 * Trades of the shop list: codes and names of the classification that has been in use since 2022, as far as
 * they are common knowledge; the real table is about twice as long.
 */
export const trades: readonly Trade[] = readTrades();

export interface Trade {
  readonly largeCode: string;
  readonly largeName: string;
  readonly middleCode: string;
  readonly middleName: string;
  readonly code: string;
  readonly name: string;
}

function readTrades(): Trade[] {
  return tradeLines()
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [large = '', middle = '', names = ''] = line.split('|');
      const [largeCode, largeName] = split(large);
      const [middleCode, middleName] = split(middle);
      return names.split(',').map((name, at) => ({
        largeCode,
        largeName,
        middleCode,
        middleName,
        code: `${middleCode}${String(at + 1).padStart(2, '0')}`,
        name,
      }));
    });
}

/** `I2 음식` is a code and a name. */
function split(text: string): [string, string] {
  const space = text.indexOf(' ');
  return [text.slice(0, space), text.slice(space + 1)];
}

// The block is a table: large, middle, and the small trades in the order of their numbers.
function tradeLines(): string {
  return `
G2 소매|G204 종합 소매|백화점,슈퍼마켓,편의점,그 외 기타 종합 소매업
G2 소매|G205 식료품 소매|곡물/곡분 소매업,정육점,건어물/젓갈 소매업,수산물 소매업,채소/과일 소매업,빵/과자 소매업,반찬/식료품 소매업
G2 소매|G206 음료 소매|주류 소매업,생수/음료 소매업
G2 소매|G208 가전·통신 소매|컴퓨터/소프트웨어 소매업,핸드폰 소매업,가전제품 소매업
G2 소매|G209 섬유·의복·신발 소매|남성 의류 소매업,여성 의류 소매업,유아용 의류 소매업,한복 소매업,신발 소매업,가방 소매업
G2 소매|G210 철물·건설자재 소매|철물/공구 소매업,페인트/유리 소매업,조명기기 소매업
G2 소매|G211 가구 소매|가구 소매업,침구류/커튼 소매업
G2 소매|G212 서적·문구 소매|서점,문구/회화용품 소매업
G2 소매|G213 오락용품 소매|운동용품 소매업,자전거 소매업,장난감 소매업,악기 소매업
G2 소매|G215 의약·화장품 소매|약국,의료기기 소매업,화장품 소매업
G2 소매|G216 연료 소매|주유소,가스 충전소
G2 소매|G217 기타 상품 소매|안경렌즈 소매업,시계/귀금속 소매업,꽃집,애완동물/애완용품 소매업
G2 소매|G218 중고 상품 소매|중고 가구 소매업,중고 가전제품 소매업
I1 숙박|I101 일반 숙박|호텔/리조트,여관/모텔,펜션,민박
I1 숙박|I102 기타 숙박|캠핑장,고시원
I2 음식|I201 한식|백반/한정식,국/탕/찌개류,족발/보쌈,전/부침개,국수/칼국수,냉면/밀면,돼지고기 구이/찜,소고기 구이/찜,곱창 전골/구이,닭/오리고기 구이/찜,횟집,해산물 구이/찜,복 요리 전문
I2 음식|I202 중식|중국집,마라탕/훠궈
I2 음식|I203 일식|일식 회/초밥,일식 카레/돈가스/덮밥,일식 면 요리
I2 음식|I204 서양식|경양식,파스타/스테이크,패밀리레스토랑
I2 음식|I205 동남아시아|베트남식 전문,기타 동남아식 전문
I2 음식|I207 구내식당·뷔페|구내식당,뷔페
I2 음식|I210 기타 간이|빵/도넛,떡/한과,피자,버거,토스트/샌드위치/샐러드,치킨,김밥/만두/분식,아이스크림/빙수
I2 음식|I211 주점|일반 유흥 주점,생맥주 전문,요리 주점
I2 음식|I212 비알코올|카페
L1 부동산|L102 부동산 서비스|부동산 중개/대리업,부동산 감정평가업
M1 과학·기술|M103 법무관련|변호사,법무사,변리사
M1 과학·기술|M104 회계·세무|회계사,세무사
M1 과학·기술|M105 광고|광고 대행업,옥외 광고업
M1 과학·기술|M107 컨설팅|경영 컨설팅업
M1 과학·기술|M109 기술 서비스|건축 설계 및 관련 서비스업,측량업
M1 과학·기술|M111 전문 디자인|인테리어 디자인업,시각 디자인업
M1 과학·기술|M112 사진 촬영|사진촬영업
N1 시설관리·임대|N102 청소·방제|건물 청소업,소독/방제업
N1 시설관리·임대|N104 고용 알선|고용 알선업
N1 시설관리·임대|N105 여행사·보조|여행사
N1 시설관리·임대|N107 사무 지원|복사업
N1 시설관리·임대|N109 운송장비 대여|자동차 임대업
N1 시설관리·임대|N110 개인용품 대여|의류 대여업
P1 교육|P105 일반 교육|입시·교과학원,외국어학원,컴퓨터 학원
P1 교육|P106 기타 교육|태권도/무술학원,요가/필라테스 학원,음악학원,미술학원,운전학원
P1 교육|P107 교육 지원|독서실/스터디 카페
Q1 보건의료|Q101 병원|종합병원,일반병원,치과병원,한방병원,요양병원
Q1 보건의료|Q102 의원|내과/소아과 의원,외과 의원,피부/비뇨기과 의원,안과 의원,이비인후과 의원,치과의원,한의원
Q1 보건의료|Q104 기타 보건|앰뷸런스 서비스업
R1 예술·스포츠|R102 도서관·사적지|독서실 운영업,박물관/미술관
R1 예술·스포츠|R103 스포츠 서비스|골프 연습장,당구장,볼링장,수영장,테니스장,헬스장
R1 예술·스포츠|R104 유원지·오락|PC방,노래방,전자 게임장,낚시장
S2 수리·개인|S201 컴퓨터 수리|컴퓨터/주변기기 수리업
S2 수리·개인|S202 통신장비 수리|핸드폰/통신장비 수리업
S2 수리·개인|S203 자동차 수리|자동차 정비소,자동차 세차장,타이어 수리업
S2 수리·개인|S205 개인·가정용품 수리|가전제품 수리업,시계/귀금속 수리업,구두/가방 수선업,의류 수선업
S2 수리·개인|S207 이용·미용|미용실,피부 관리실,네일숍,이용업
S2 수리·개인|S208 욕탕·신체관리|목욕탕/사우나,마사지/안마,체형/비만 관리
S2 수리·개인|S209 세탁|세탁소,셀프 빨래방
S2 수리·개인|S210 장례·예식|장례식장,예식장
S2 수리·개인|S211 기타 개인|애견 미용실,점술업
`;
}
