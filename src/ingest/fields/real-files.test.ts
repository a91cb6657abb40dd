import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import iconv from 'iconv-lite';
import { createFieldProfiler } from './profiler.ts';
import { realData, realDataTest } from '../../../test/long-form.ts';

/** Real files, as they are published, and the roles an expert would give their columns. */
const expectedRoles: readonly (readonly [string, string, Record<string, string>])[] = [
  [
    'museum-seoul-2018/서울특별시_박물관미술관정보_20180821.csv',
    'cp949',
    { name: '시설명', lat: '위도', lon: '경도' },
  ],
  [
    'tour-spots-2024/전국관광지정보표준데이터_2024.csv',
    'cp949',
    { name: '관광지명', lat: '위도', lon: '경도' },
  ],
  [
    'market-facility-2024/소상공인시장진흥공단_전통시장현황_20240719.csv',
    'cp949',
    { name: '시장명', sido: '시도', sigungu: '시군구', code: '시장코드' },
  ],
  [
    'subway-stations-2020/전국도시철도역사정보표준데이터_2020.csv',
    'cp949',
    {
      name: '역사명',
      lat: '역위도',
      lon: '역경도',
      address: '역사도로명주소',
      phone: '역사전화번호',
    },
  ],
  [
    'gas-charging-2023/한국가스안전공사_전국 도시가스충전소 현황_20230831.csv',
    'cp949',
    { id: '순번', name: '업소명' },
  ],
  [
    'apt-trade-2018/아파트(매매)__실거래가_20180513144733.csv',
    'cp949',
    { name: '단지명', address: '시군구' },
  ],
  [
    'disabled-library/지역별장애인도서관정보.csv',
    'cp949',
    { id: '도서관코드', sigungu: '자치구명', lat: 'LAT', lon: 'LON' },
  ],
  [
    'datatoys/seoulER.csv',
    'utf8',
    { id: '기관ID', name: '기관명', lat: '병원위도', lon: '병원경도' },
  ],
  ['datatoys/fireStation.csv', 'utf8', { id: '순번', name: '소방서', address: '주소' }],
  [
    'load/busStation.csv.gz',
    'utf8',
    { id: '정류장아이디', name: '정류장.명칭', sigungu: '도시명', date: '수집일시' },
  ],
  [
    'load/pharmacyInfo.csv.gz',
    'utf8',
    { name: '요양기관명', lat: 'y좌표', lon: 'x좌표', sido: '시도코드명', sigungu: '시군구코드명' },
  ],
  ['load/fire.csv.gz', 'utf8', { id: '연번', sido: '시도', sigungu: '시군구' }],
  [
    'load/경기도_버스정류소현황.csv.gz',
    'cp949',
    { id: '정류소id', name: '정류소명', sigungu: '시군명', address: '위치' },
  ],
  [
    'load/전국주차장정보표준데이터_2022.csv.gz',
    'cp949',
    { name: '주차장명', lat: '위도', lon: '경도' },
  ],
  [
    'load/유초중등교육기관 주소록_2020.csv.gz',
    'cp949',
    { name: '학교명', sido: '시도', sigungu: '행정구', code: '우편번호' },
  ],
];

for (const [file, encoding, expected] of expectedRoles) {
  realDataTest(`the roles of ${file.split('/')[1]} are found`, () => {
    const path = join(realData, file);
    const raw = readFileSync(path);
    const text = iconv.decode(file.endsWith('.gz') ? gunzipSync(raw) : raw, encoding);
    const [header = [], ...rows] = parse(text, {
      bom: true,
      relax_quotes: true,
      relax_column_count: true,
      to: 20_000,
    });
    const profiler = createFieldProfiler(header);
    for (const row of rows) profiler.add(row.map((cell) => (cell === '' ? null : cell)));
    const fields = profiler.fields();
    for (const [role, name] of Object.entries(expected)) {
      const found = fields.filter((field) => field.role === role).map((field) => field.name);
      assert.equal(found[0], name, `${role} of ${file}`);
    }
  });
}
