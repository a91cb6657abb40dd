import {
  axisCode,
  bbox,
  header,
  limit,
  propertyNames,
  names,
  near,
  offset,
  rewrite,
  radius,
  searchOffset,
  sido,
  sigungu,
  snapshot,
  textSearch,
  where,
} from './lookup-parameters.ts';
import { axesContract } from './axes-route.ts';
import { recordContract } from './record-routes.ts';
import type { Route } from './route.ts';
import * as schemas from './schemas.ts';
import { suggestContract } from './suggest-route.ts';
import { datasetTypes } from './shapes.ts';

/** Version of the interface in its published description. */
export const interfaceVersion = '1.0.0';

/** Routes of the lookup service. */
export const lookupContract = {
  ...axesContract,
  rows: {
    method: 'GET',
    path: '/api/data/axis',
    purpose: { ko: '한 축의 레코드', en: 'Records of one axis' },
    parameters: {
      axis: axisCode(),
      limit: {
        ...limit(20, 500),
        defaultOf: 'sample',
        purpose: {
          ko: '한 번에 받을 건수. 최대 500이며 더 큰 값은 이 값으로 줄입니다. 0이면 건수만 셉니다. sample을 쓰면 기본값은 sample입니다.',
          en: 'Number of items, at most 500; a larger value is reduced to it. 0 returns the count only. With sample, the default is that of sample.',
        },
      },
      offset: offset(),
      sido: sido(),
      sigungu: sigungu(),
      where: where(),
      q: textSearch(),
      select: names(
        '받을 필드: 이름이나 한글 이름을 쉼표로 잇습니다.',
        'Fields to return: names or labels between commas.',
      ),
      sort: names(
        '정렬할 필드를 쉼표로 셋까지. 앞에 -를 붙이면 내림차순. 값이 없는 레코드는 끝에 옵니다.',
        'Up to three fields between commas, - in front for descending. Records without a value come last.',
      ),
      near: near(),
      radius: radius(),
      bbox: bbox(),
      sample: {
        kind: 'integer',
        maximum: 500,
        purpose: {
          ko: '무작위로 뽑을 건수. 최대 500. 같은 seed는 같은 레코드를 뽑습니다.',
          en: 'Number of records to sample, at most 500. Equal seeds give equal samples.',
        },
      },
      seed: {
        kind: 'integer',
        default: 0,
        purpose: { ko: 'sample의 난수 시작값', en: 'Seed of sample' },
      },
      with: names(
        '덧붙일 것: region은 _sido와 _sigungu(지금의 지역 코드), id는 _id(레코드의 고정 ID). 쉼표로 잇습니다.',
        'What to add: region adds _sido and _sigungu (current region codes), id adds _id (stable id of the record).',
      ),
      cursor: {
        kind: 'text',
        purpose: {
          ko: 'sort를 쓴 응답의 next에 들어 있는 커서. 한 스냅샷의 한 조건에만 맞습니다.',
          en: 'Cursor from next of a sorted answer. It belongs to one snapshot and one query.',
        },
      },
      fields: {
        kind: 'choice',
        values: ['1', '0'],
        default: '1',
        purpose: { ko: '0이면 필드 목록을 생략합니다.', en: '0 omits the list of fields.' },
      },
      format: {
        kind: 'choice',
        values: ['json', 'ndjson', 'csv', 'geojson'],
        default: 'json',
        purpose: {
          ko: '응답 형식. Accept 헤더로도 고를 수 있습니다. geojson은 좌표가 있는 축에서만 쓸 수 있습니다.',
          en: 'Format of the answer; the Accept header can choose it too. geojson requires an axis with coordinates.',
        },
      },
      header: header(),
      bom: {
        kind: 'choice',
        values: ['1', '0'],
        default: '1',
        purpose: {
          ko: '0이면 CSV 앞의 BOM을 생략합니다. 엑셀은 BOM이 있어야 한글을 읽습니다.',
          en: '0 omits the BOM of CSV, which Excel needs for Hangul.',
        },
      },
      snapshot: snapshot(),
    },
    answers: { 200: schemas.rowsAnswer },
    cache: 'data',
    formats: {
      json: 'application/json; charset=utf-8',
      ndjson: 'application/x-ndjson; charset=utf-8',
      csv: 'text/csv; charset=utf-8',
      geojson: 'application/geo+json; charset=utf-8',
    },
    problems: [
      'unknown_axis',
      'missing_parameter',
      'invalid_parameter',
      'invalid_where',
      'stale_cursor',
      'overloaded',
    ],
    examples: [
      {
        target: '/api/data/axis?axis={axis}&limit=5',
        purpose: { ko: '첫 다섯 건', en: 'The first five records' },
      },
      {
        target: '/api/data/axis?axis={axis}&format=csv&header=label',
        purpose: { ko: '엑셀에서 여는 CSV', en: 'CSV that Excel opens' },
      },
      {
        target: '/api/data/axis?axis=gen_restdeinfo&where=명칭 = 설날&sort=-날짜&select=날짜,명칭',
        purpose: { ko: '조건과 정렬', en: 'A condition and an order' },
      },
    ],
  },
  fields: {
    method: 'GET',
    path: '/api/data/fields',
    purpose: { ko: '한 축의 필드와 한글 이름', en: 'An axis’s fields with their Korean names' },
    parameters: {
      axis: axisCode(),
      format: {
        kind: 'choice',
        values: ['json', 'tableschema'],
        default: 'json',
        purpose: {
          ko: 'tableschema는 Frictionless Table Schema 형식입니다.',
          en: 'tableschema is a Frictionless Table Schema.',
        },
      },
      select: propertyNames(schemas.fieldProperties),
      snapshot: snapshot(),
    },
    answers: { 200: schemas.fieldsAnswer },
    cache: 'data',
    formats: {
      json: 'application/json; charset=utf-8',
      tableschema: 'application/vnd.tableschema+json; charset=utf-8',
    },
    problems: ['unknown_axis', 'missing_parameter', 'invalid_parameter'],
    examples: [
      {
        target: '/api/data/fields?axis={axis}',
        purpose: { ko: '필드의 뜻', en: 'Meaning of the fields' },
      },
    ],
  },
  ...recordContract,
  search: {
    method: 'GET',
    path: '/api/data/search',
    purpose: {
      ko: '모든 데이터 또는 한 축에서 전문 검색',
      en: 'Full-text search over all data or inside one axis',
    },
    parameters: {
      q: {
        kind: 'text',
        required: true,
        purpose: {
          ko: '검색어. 모든 낱말이 레코드나 그 데이터셋의 주제에 있는 레코드를 찾습니다. 열여섯 낱말까지 찾고, 나머지는 terms_dropped 경고로 알립니다. "따옴표"로 묶으면 띄어쓰기까지 그대로 찾습니다.',
          en: 'Search query. Every word must occur in the record, or be a subject of its dataset; words after the sixteenth are ignored, with the warning terms_dropped. "Quotes" search for a phrase.',
        },
      },
      axis: {
        kind: 'text',
        codes: 'axis',
        purpose: { ko: '이 축 안에서만 찾습니다.', en: 'Searches this axis only.' },
      },
      sido: sido(),
      sigungu: sigungu(),
      match: {
        kind: 'choice',
        values: ['topic', 'record'],
        default: 'topic',
        purpose: {
          ko: 'topic은 데이터셋의 제목이나 고유한 필드 이름에 있는 낱말을 그 데이터셋의 모든 레코드에 있는 것으로 보고, 시도 이름은 그 시도에 속한 레코드에도 있는 것으로 봅니다. record는 모든 낱말이 레코드 안에 있어야 합니다.',
          en: 'topic: a word in the title of a dataset, or in a label of its own, counts for all of its records, and the name of a sido for the records that lie there. record: every word must occur in the record.',
        },
      },
      rewrite: rewrite(),
      limit: limit(20, 200),
      offset: searchOffset(),
      select: propertyNames(schemas.hitProperties),
      snapshot: snapshot(),
    },
    answers: { 200: schemas.searchAnswer },
    cache: 'data',
    problems: ['missing_parameter', 'invalid_parameter', 'overloaded'],
    examples: [
      {
        target: '/api/data/search?q=공휴일 설날',
        purpose: { ko: '두 낱말이 모두 있는 레코드', en: 'Records with both words' },
      },
    ],
  },
  ...suggestContract,
  catalog: {
    method: 'GET',
    path: '/api/catalog/search',
    purpose: { ko: '공공데이터포털 목록 검색', en: 'Search the portal’s catalog' },
    parameters: {
      q: {
        kind: 'text',
        purpose: {
          ko: '검색어. 없으면 모든 데이터셋을 최신순으로 돌려줍니다.',
          en: 'Search query; without one, all datasets, latest first.',
        },
      },
      type: {
        kind: 'choice',
        values: datasetTypes,
        purpose: { ko: '데이터의 종류', en: 'Kind of dataset' },
      },
      rewrite: rewrite(),
      limit: limit(30, 200),
      offset: searchOffset(),
      select: propertyNames(schemas.entryProperties),
      snapshot: snapshot(),
    },
    answers: { 200: schemas.catalogAnswer },
    cache: 'data',
    problems: ['invalid_parameter', 'overloaded'],
    examples: [
      {
        target: '/api/catalog/search?q=주차장&type=STD',
        purpose: { ko: '주차장 표준데이터', en: 'Standard datasets on parking' },
      },
    ],
  },
  region: {
    method: 'GET',
    path: '/api/region',
    purpose: {
      ko: '한 지역에 걸친 데이터 (지역 조인)',
      en: 'Datasets that overlap one region (a region join)',
    },
    parameters: {
      sido: { ...sido(), required: true },
      sigungu: sigungu(),
      select: propertyNames(schemas.regionDatasetProperties),
      snapshot: snapshot(),
    },
    answers: { 200: schemas.regionAnswer },
    cache: 'data',
    problems: ['missing_parameter', 'invalid_parameter'],
    examples: [
      {
        target: '/api/region?sido=서울&sigungu=강남구',
        purpose: { ko: '강남구의 데이터', en: 'Data of Gangnam-gu' },
      },
    ],
  },
  demand: {
    method: 'GET',
    path: '/api/demand',
    purpose: {
      ko: '검색 수요 순위와 연결된 데이터',
      en: 'Ranking of search demand, linked to held data',
    },
    parameters: {
      limit: limit(200, 5_000),
      offset: offset(),
      held: {
        kind: 'choice',
        values: ['1'],
        purpose: {
          ko: '1이면 보유한 데이터가 있는 검색어만.',
          en: '1 returns keywords with held data only.',
        },
      },
      gap: {
        kind: 'choice',
        values: ['1'],
        purpose: {
          ko: '1이면 보유한 데이터가 없는 검색어만.',
          en: '1 returns keywords without held data only.',
        },
      },
      select: propertyNames(schemas.keywordProperties),
      snapshot: snapshot(),
    },
    answers: { 200: schemas.demandAnswer },
    cache: 'data',
    problems: ['invalid_parameter'],
    examples: [
      { target: '/api/demand?held=1', purpose: { ko: '보유한 데이터만', en: 'Held data only' } },
    ],
  },
  stats: {
    method: 'GET',
    path: '/api/stats',
    purpose: { ko: '목록과 축의 상태', en: 'State of the catalog and the axes' },
    parameters: { snapshot: snapshot() },
    answers: { 200: schemas.statsAnswer },
    cache: 'day',
    problems: ['invalid_parameter'],
    examples: [{ target: '/api/stats', purpose: { ko: '현황 보기', en: 'See the state' } }],
  },
} as const satisfies Record<string, Route>;
