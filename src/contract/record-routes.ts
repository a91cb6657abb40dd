import { axisCode, limit, offset } from './lookup-parameters.ts';
import * as schemas from './record-schemas.ts';
import type { Route } from './route.ts';

/** Routes of the lookup service about the records of one axis. */
export const recordContract = {
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
