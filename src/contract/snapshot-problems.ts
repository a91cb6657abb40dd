import { problem } from './problem-row.ts';

/** Problem codes of the operator's work with snapshots. */
export const snapshotProblems = {
  unknown_snapshot: problem(404, {
    title: ['없는 스냅샷입니다', 'Unknown snapshot'],
    remedy: [
      '스냅샷 목록에서 id를 확인합니다. 최근 5개만 남습니다.',
      'Look up the id in the list of snapshots; the last five are kept.',
    ],
  }),
  snapshot_is_current: problem(409, {
    title: ['이미 사용 중인 스냅샷입니다', 'Snapshot is current'],
    remedy: ['되돌릴 스냅샷을 목록에서 고릅니다.', 'Choose an earlier snapshot of the list.'],
  }),
  snapshot_busy: problem(409, {
    title: ['스냅샷을 만드는 중입니다', 'Snapshot under construction'],
    remedy: [
      '적재나 수집이 끝난 뒤 다시 시도합니다.',
      'Retry when the load or the collection has ended.',
    ],
  }),
  snapshot_damaged: problem(409, {
    title: ['손상된 스냅샷입니다', 'Damaged snapshot'],
    remedy: [
      '다른 스냅샷으로 되돌립니다. 사용 중인 스냅샷은 바뀌지 않았습니다.',
      'Roll back to another snapshot. The current one is unchanged.',
    ],
  }),
};
