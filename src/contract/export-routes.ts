import { snapshot } from './lookup-parameters.ts';
import { lookupContract } from './lookup.ts';
import type { ChoiceParameter, Route } from './route.ts';
import * as schemas from './schemas.ts';

const { parameters: rows } = lookupContract.rows;
const { parameters: search } = lookupContract.search;

const heading = {
  kind: 'choice',
  values: ['name', 'label'],
  purpose: {
    ko: 'CSV와 XLSX의 제목 줄: name은 원본 이름, label은 한글 이름. 없으면 CSV는 name, XLSX는 label.',
    en: 'Headings of CSV and XLSX: name is the source’s name, label the Korean label. By default name for CSV and label for XLSX.',
  },
} as const satisfies ChoiceParameter;

/** Downloads of axes, or of selected records: their answers are files. */
export const exportContract = {
  export: {
    method: 'GET',
    path: '/api/export/{file}',
    purpose: {
      ko: '한 축 전체, 또는 조건에 맞는 레코드를 CSV, NDJSON, GeoJSON, XLSX, Parquet 파일로. 축 전체는 길이와 Repr-Digest가 붙고 Range로 나눠 받을 수 있습니다. 조건에 맞는 레코드는 끝에 X-Row-Count와 Repr-Digest 트레일러가 붙습니다. 조건과 정렬은 /api/data/axis와 같습니다. limit, offset, cursor는 400입니다.',
      en: 'A whole axis, or selected records, as a CSV, NDJSON, GeoJSON, XLSX or Parquet file. A whole axis has a length and Repr-Digest, and Range selects a part. Selected records are a stream with trailers X-Row-Count and Repr-Digest. Conditions and orders are those of /api/data/axis; limit, offset and cursor are 400.',
    },
    parameters: {
      file: {
        kind: 'path',
        required: true,
        purpose: {
          ko: '축 코드와 .csv, .ndjson, .geojson, .xlsx, .parquet 중 하나',
          en: 'The axis’s code with .csv, .ndjson, .geojson, .xlsx or .parquet',
        },
      },
      sido: rows.sido,
      sigungu: rows.sigungu,
      where: rows.where,
      q: rows.q,
      select: rows.select,
      sort: rows.sort,
      near: rows.near,
      radius: rows.radius,
      bbox: rows.bbox,
      sample: rows.sample,
      seed: rows.seed,
      with: rows.with,
      header: heading,
      bom: rows.bom,
      snapshot: snapshot(),
    },
    answers: { 200: schemas.exportAnswer },
    cache: 'data',
    media: [
      'text/csv',
      'application/x-ndjson',
      'application/geo+json',
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      'application/vnd.apache.parquet',
    ],
    problems: [
      'not_found',
      'missing_parameter',
      'invalid_parameter',
      'invalid_where',
      'format_unsuitable',
      'range_not_satisfiable',
      'overloaded',
    ],
    examples: [
      {
        target: '/api/export/{axis}.csv',
        purpose: { ko: '전체를 CSV로', en: 'The whole axis as CSV' },
      },
      {
        target: '/api/export/{axis}.parquet',
        purpose: { ko: '전체를 Parquet으로', en: 'The whole axis as Parquet' },
      },
      {
        target: '/api/export/gen_restdeinfo.xlsx?where=명칭 = 설날&sort=-날짜&select=날짜,명칭',
        purpose: { ko: '고른 레코드를 엑셀로', en: 'Selected records as a workbook' },
      },
    ],
  },
  searchExport: {
    method: 'GET',
    path: '/api/export/search/{format}',
    purpose: {
      ko: '검색 결과의 레코드를 한 파일로. 여러 데이터셋의 이름, 주소, 날짜, 좌표를 같은 열에 두고, 나머지 값은 한 열에 모읍니다. 10,000건까지이며 더 많으면 400 search_too_large입니다.',
      en: 'The records of a search in one file: names, addresses, dates and positions of several datasets share columns, and all values stand in one more. At most 10,000 records; more are 400 search_too_large.',
    },
    parameters: {
      format: {
        kind: 'path',
        required: true,
        purpose: { ko: 'csv, ndjson, xlsx 중 하나', en: 'csv, ndjson or xlsx' },
      },
      q: search.q,
      sido: search.sido,
      sigungu: search.sigungu,
      header: {
        ...heading,
        default: 'label',
        purpose: {
          ko: 'CSV와 XLSX의 제목 줄: label은 한글, name은 영문 이름.',
          en: 'Headings of CSV and XLSX: label is Korean, name English.',
        },
      },
      bom: rows.bom,
      snapshot: snapshot(),
    },
    answers: { 200: schemas.exportAnswer },
    cache: 'data',
    media: [
      'text/csv',
      'application/x-ndjson',
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    ],
    problems: [
      'not_found',
      'missing_parameter',
      'invalid_parameter',
      'search_too_large',
      'overloaded',
    ],
    examples: [
      {
        target: '/api/export/search/csv?q=설날',
        purpose: {
          ko: '여러 데이터셋의 검색 결과를 CSV로',
          en: 'A search over all datasets as CSV',
        },
      },
    ],
  },
} as const satisfies Record<string, Route>;
