import type { TProperties } from 'typebox';
import { withRole, action, get } from './operator-route.ts';
import { count, nullable, oneOf } from './shapes.ts';
import { Type } from './type.ts';

/** Routes about the open data in the folder of the service: datasets, collection runs, quotas and snapshots. */
export const operatorDataRoutes = {
  datasets: get(
    '/api/datasets',
    {
      ko: '현재 스냅샷의 데이터셋: 레코드 수, 최신성, 발견',
      en: 'Datasets of the current snapshot: records, freshness and findings',
    },
    list({
      axis: Type.String(),
      title: Type.String(),
      origin: oneOf(['portal', 'file', 'sample']),
      provider: nullable(Type.String()),
      rows: count(),
      /** Date of the data: of its last change if that is known, else of its collection. */
      date: Type.String(),
      freshness: oneOf(['fresh', 'due', 'stale', 'unknown']),
      findings: Type.Array(
        Type.Object({ kind: Type.String(), count: count(), since: Type.String() }),
      ),
    }),
  ),
  collections: get(
    '/api/collections',
    { ko: '축마다 마지막 수집 실행', en: 'The latest collection run of each axis' },
    list({
      axis: Type.String(),
      origin: Type.String(),
      state: oneOf(['running', 'done', 'failed', 'parked', 'interrupted']),
      asked_at: Type.String(),
      finished_at: nullable(Type.String()),
      rows: nullable(count()),
      /** Number of requests sent and planned: `3/10`. */
      requests: Type.String(),
      requests_sent: count(),
      requests_planned: count(),
      /** Time of the last stored response; null for none. */
      progressed_at: nullable(Type.String()),
      message: nullable(Type.String()),
      /** Findings of the last collection of the axis. */
      findings: Type.Array(Type.Object({ kind: Type.String(), count: count() })),
    }),
  ),
  quotas: get(
    '/api/quotas',
    {
      ko: '오늘 포털에 보낸 요청과 한도, 오퍼레이션별',
      en: 'Requests sent to the portal today and their daily quotas, by operation',
    },
    list({
      operation: Type.String(),
      /** Null if the portal refused further requests before the quota was reached. */
      used: nullable(count()),
      /** Null if the quota was not recorded. */
      limit: nullable(count()),
      is_spent: Type.Boolean(),
    }),
  ),
  snapshots: get(
    '/api/snapshots',
    { ko: '조회 서비스의 스냅샷', en: 'Snapshots of the lookup service' },
    list({
      id: Type.String(),
      is_current: Type.Boolean(),
      built_at: Type.String(),
      bytes: count(),
      axes: count(),
      reason: Type.String(),
    }),
  ),
  snapshotDifference: get(
    '/api/snapshots/{snapshot_id}/difference',
    {
      ko: '현재 스냅샷과 다른 축',
      en: 'Axes in which the current snapshot differs from this one',
    },
    Type.Object({
      /** This snapshot. */
      from: Type.String(),
      /** The current one. */
      to: Type.String(),
      items: Type.Array(
        Type.Object({
          axis: Type.String(),
          change: oneOf(['added', 'removed', 'records', 'description']),
          rows_from: nullable(count()),
          rows_to: nullable(count()),
          fields_added: Type.Array(Type.String()),
          fields_removed: Type.Array(Type.String()),
        }),
      ),
    }),
  ),
  rollBackSnapshot: withRole(
    'owner',
    action(
      '/api/snapshots/{snapshot_id}/rollback',
      { ko: '이 스냅샷으로 되돌리기', en: 'Serve this snapshot again' },
      {
        answer: Type.Object({ from: Type.String(), to: Type.String() }),
        problems: ['snapshot_is_current', 'snapshot_busy', 'snapshot_damaged'],
      },
    ),
  ),
};

function list<Item extends TProperties>(item: Item) {
  return Type.Object({ items: Type.Array(Type.Object(item)) });
}
