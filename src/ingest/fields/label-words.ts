/**
 * Words and abbreviations in field names, with their meaning in the government's standard terms (행정표준용어) or in
 * the portal's services. Words are in lower case; the longest match is used.
 */
export const labelWords: ReadonlyMap<string, string> = new Map(
  `
  nm 명 · name 명 · cd 코드 · code 코드 · num 번호 · number 번호 · id ID · key 키 · sn 일련번호 · seq 순번 · ord 순서
  order 순서 · rank 순위 · addr 주소 · adr 주소 · adres 주소 · address 주소 · tel 전화번호 · telno 전화번호 · phone 전화번호 · fax 팩스번호
  ymd 일자 · de 일자 · date 일자 · day 일 · time 시각 · hhmm 시각 · hour 시 · minute 분 · yr 연도 · year 연도 · yyyy 연도
  month 월 · mm 월 · ym 연월 · week 주 · cnt 수 · count 수 · nope 인원수 · rt 율 · rate 율 · ratio 비율 · amt 금액 · amount 금액
  price 가격 · prc 가격 · cost 비용 · fee 요금 · charge 요금 · fare 운임 · ar 면적 · area 면적 · se 구분 · div 구분 · gubun 구분 · ty 유형
  type 유형 · tp 유형 · kind 종류 · category 분류 · cat 분류 · class 등급 · grade 등급 · level 단계 · yn 여부 · flag 여부 · cn 내용 · cont 내용
  contents 내용 · content 내용 · info 정보 · desc 설명 · description 설명 · rm 비고 · rmk 비고 · remark 비고 · remarks 비고 · note 비고 · memo 메모
  url URL · link 링크 · hmpg 홈페이지 · homepage 홈페이지 · site 사이트 · email 이메일 · image 이미지 · img 이미지 · file 파일 · photo 사진
  title 제목 · subject 제목 · lat 위도 · latitude 위도 · lot 경도 · lon 경도 · lng 경도 · long 경도 · longitude 경도 · x X좌표 · y Y좌표 · lati 위도
  xcrd X좌표 · ycrd Y좌표 · coord 좌표 · geometry 도형 · gps GPS · sido 시도 · ctprvn 시도 · ctpv 시도 · sgg 시군구 · signgu 시군구 · sigungu 시군구 · gu 구 · gugun 구군 · sggu 시군구
  emd 읍면동 · dong 동 · adong 행정동 · ldong 법정동 · ri 리 · region 지역 · city 도시 · road 도로명 · rdnm 도로명 · lnm 지번 · jibun 지번
  lno 지번 · zip 우편번호 · zipcode 우편번호 · zipcd 우편번호 · post 우편번호 · bld 건물 · buld 건물 · bldg 건물 · building 건물 · flr 층 · floor 층
  ho 호 · unit 단위 · instt 기관 · inst 기관 · institution 기관 · org 기관 · agency 기관 · dept 부서 · provider 제공기관
  oper 운영 · manage 관리 · mng 관리 · mngr 관리자 · mngmt 관리 · open 시작 · close 종료 · start 시작 · bgng 시작 · begin 시작 · end 종료
  reg 등록 · rgst 등록 · regist 등록 · upd 수정 · updt 수정 · update 수정 · mod 수정 · mdfcn 수정 · modified 수정 · crt 생성 · created 등록
  data 데이터 · base 기준 · std 기준 · stdr 기준 · crtr 기준 · use 이용 · fclty 시설 · facility 시설 · biz 사업 · bizes 업소 · bsn 사업 · bsns 사업 · bplc 사업장
  store 점포 · shop 상점 · brand 브랜드 · item 품목 · product 상품 · goods 상품 · prkplce 주차장 · parking 주차장 · park 공원 · lbrry 도서관
  library 도서관 · hosp 병원 · hospital 병원 · pharmacy 약국 · schul 학교 · school 학교 · bus 버스 · subway 지하철 · statn 역
  stop 정류장 · node 정류소 · route 노선 · line 노선 · car 차량 · vehicle 차량 · road 도로 · market 시장 · mrkt 시장 · toilet 화장실 · museum 박물관
  company 업체 · cmpny 업체 · corp 법인 · owner 소유자 · user 이용자 · person 인물 · man 남자 · male 남자 · female 여자 · woman 여자 · age 연령
  sex 성별 · gender 성별 · pop 인구 · ppltn 인구 · popltn 인구 · total 합계 · tot 합계 · sum 합계 · avg 평균 · max 최대 · min 최소 · value 값 · val 값
  temp 기온 · ta 기온 · ws 풍속 · wd 풍향 · hm 습도 · status 상태 · stts 상태 · state 상태 · result 결과 · detail 상세 · dtl 상세
  capacity 수용인원 · seat 좌석 · book 도서 · author 저자 · publisher 발행처 · holiday 공휴일 · weekday 평일 · sat 토요일
  new 신규 · old 이전 · en 영문 · eng 영문 · kor 국문 · hanja 한자 · local 지역 · public 공공 · main 주요 · sub 세부 · lcls 대분류 · mcls 중분류 · scls 소분류
  `
    .split(/[·\n]/)
    .map((pair) => pair.trim().split(' '))
    .flatMap(([word, meaning]): [string, string][] =>
      word === undefined || meaning === undefined ? [] : [[word, meaning]],
    ),
);
