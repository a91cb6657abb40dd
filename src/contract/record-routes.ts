import {
  axisCode,
  bbox,
  limit,
  names,
  near,
  offset,
  radius,
  sido,
  sigungu,
  snapshot,
  textSearch,
  where,
} from './lookup-parameters.ts';
import * as schemas from './record-schemas.ts';
import type { Route } from './route.ts';

const selectionProblems = [
  'unknown_axis',
  'missing_parameter',
  'invalid_parameter',
  'invalid_where',
  'overloaded',
] as const;

/** Routes of the lookup service about the records of one axis. */
export const recordContract = {
  values: {
    method: 'GET',
    path: '/api/data/values',
    purpose: {
      ko: '한 필드의 서로 다른 값과 건수, 많은 순서로',
      en: 'Distinct values of a field with their counts, most first',
    },
    parameters: {
      axis: axisCode(),
      field: {
        ...names('필드의 이름이나 한글 이름.', 'Name or label of the field.'),
        required: true,
      },
      limit: limit(100, 1_000),
      offset: offset(),
      ...selectionParameters(),
      snapshot: snapshot(),
    },
    answers: { 200: schemas.valuesAnswer },
    cache: 'data',
    problems: [...selectionProblems],
    examples: [
      {
        target: '/api/data/values?axis=gen_restdeinfo&field=명칭&limit=10',
        purpose: { ko: '가장 많은 값 열 개', en: 'The ten most frequent values' },
      },
    ],
  },
  groups: {
    method: 'GET',
    path: '/api/data/groups',
    purpose: {
      ko: '묶음별 건수, 합계, 평균',
      en: 'Counts, sums and averages by group',
    },
    parameters: {
      axis: axisCode(),
      by: names(
        '묶을 기준을 쉼표로 셋까지: 필드, year(날짜), month(날짜), day(날짜), _sido, _sigungu. 없으면 전체가 한 묶음입니다.',
        'Up to three keys between commas: a field, year(date), month(date), day(date), _sido, _sigungu. Without them everything is one group.',
      ),
      agg: names(
        '집계를 쉼표로: count, sum(필드), avg(필드), min(필드), max(필드), median(필드), distinct(필드). 없으면 count.',
        'Aggregates between commas: count, sum(f), avg(f), min(f), max(f), median(f), distinct(f); count when absent.',
      ),
      having: {
        ...where(),
        purpose: {
          ko: 'agg의 이름에 대한 조건. 문법은 where와 같습니다: count > 10',
          en: 'Condition on the names in agg, in the grammar of where: count > 10',
        },
      },
      sort: names(
        '정렬할 by나 agg의 이름. 앞에 -를 붙이면 내림차순.',
        'Names of by or agg to sort by, - in front for descending.',
      ),
      limit: limit(100, 10_000),
      offset: offset(),
      ...selectionParameters(),
      snapshot: snapshot(),
    },
    answers: { 200: schemas.groupsAnswer },
    cache: 'data',
    problems: [...selectionProblems],
    examples: [
      {
        target: '/api/data/groups?axis=gen_restdeinfo&by=명칭&agg=count&sort=-count',
        purpose: { ko: '공휴일마다 며칠인지', en: 'Days of each public holiday' },
      },
    ],
  },
  record: {
    method: 'GET',
    path: '/api/data/record',
    purpose: {
      ko: '고정 ID로 찾은 레코드 한 건과 출처',
      en: 'One record by its stable id, with its source',
    },
    parameters: {
      axis: axisCode(),
      id: {
        kind: 'text',
        required: true,
        purpose: {
          ko: '레코드의 ID. with=id나 검색 결과의 links.record에 있습니다.',
          en: 'Id of the record, from with=id or links.record of a search.',
        },
      },
      snapshot: snapshot(),
    },
    answers: { 200: schemas.recordAnswer },
    cache: 'data',
    problems: ['unknown_axis', 'missing_parameter', 'invalid_parameter', 'not_found'],
    examples: [
      {
        target: '/api/data/axis?axis={axis}&limit=1&with=id',
        purpose: { ko: '레코드의 ID는 _id에', en: 'The id of a record is in _id' },
      },
    ],
  },
  changes: {
    method: 'GET',
    path: '/api/data/changes',
    purpose: {
      ko: '앞선 스냅샷과 비교해 추가, 변경, 삭제된 레코드',
      en: 'Records added, changed and removed since an earlier snapshot',
    },
    parameters: {
      axis: axisCode(),
      since: {
        kind: 'text',
        purpose: {
          ko: '비교할 스냅샷(20261121-0003) 또는 날짜(2026-11-21, 그날까지의 마지막 스냅샷). 없으면 바로 앞 스냅샷.',
          en: 'Earlier snapshot (20261121-0003), or a date (2026-11-21: the last snapshot up to that day); the one before the current when absent.',
        },
      },
      limit: limit(20, 500),
      offset: offset(),
      format: {
        kind: 'choice',
        values: ['json', 'atom'],
        default: 'json',
        purpose: {
          ko: 'atom은 피드 리더가 구독하는 형식입니다.',
          en: 'atom is a feed that readers subscribe to.',
        },
      },
      snapshot: snapshot(),
    },
    answers: { 200: schemas.changesAnswer },
    cache: 'data',
    formats: {
      json: 'application/json; charset=utf-8',
      atom: 'application/atom+xml; charset=utf-8',
    },
    problems: [
      'unknown_axis',
      'missing_parameter',
      'invalid_parameter',
      'snapshot_gone',
      'overloaded',
    ],
    examples: [
      {
        target: '/api/data/changes?axis={axis}',
        purpose: { ko: '앞 스냅샷 뒤에 바뀐 것', en: 'Changes since the previous snapshot' },
      },
    ],
  },
} as const satisfies Record<string, Route>;

/** Parameters that select records, for all routes that count them. */
function selectionParameters() {
  return {
    where: where(),
    q: textSearch(),
    sido: sido(),
    sigungu: sigungu(),
    near: near(),
    radius: radius(),
    bbox: bbox(),
  } as const;
}
