import { BuildInProgress, BuildLock } from '../../data/snapshot/lock.ts';
import { currentId, pointTo } from '../../data/snapshot/snapshots.ts';
import { verifyInThread } from '../../data/snapshot/verify-in-thread.ts';
import { Problem } from '../../kernel/problem.ts';
import { audit } from '../../members/audit.ts';
import { actingOperator } from '../api/call.ts';
import { openDataReads, requireSnapshot } from '../api/open-data.ts';
import { snapshotReason } from '../pages/snapshot-reasons.ts';
import { moment, size, type Facts } from '../pages/table.ts';
import type { View } from '../pages/view.ts';
import type { Actions } from './action.ts';

export const snapshotActions = {
  rollBackSnapshot: {
    async run(call) {
      const { context, data } = call;
      const to = call.parameters.snapshot_id;
      const operator = actingOperator(call);
      requireSnapshot(data, to);
      const from = currentId(data) ?? to;
      if (from === to) throw alreadyCurrent(to);
      const damage = await verifyInThread(data, to);
      if (damage !== null) throw damaged(to, damage);
      return context.store.write(async (tx) => {
        const entry = { action: 'snapshot_rolled_back', subject: to, detail: { from } };
        await audit(context, tx, operator, entry);
        // Last, because its failure must undo the entry.
        pointBack(data, to);
        return { from, to };
      });
    },
    target: {
      name: 'snapshot_id',
      label: { ko: '스냅샷', en: 'Snapshot' },
      facts: snapshotFacts,
    },
    isDangerous: true,
    effect: {
      ko: '1초 안에 조회 서비스가 이 스냅샷을 제공합니다. 지금 스냅샷도 남아 있어 다시 되돌릴 수 있습니다. 다음 수집이나 적재는 이 스냅샷에서 이어집니다.',
      en: 'The lookup service serves this snapshot within a second. The current one is kept, so this can be undone. The next collection or load builds upon this snapshot.',
    },
    button: { ko: '되돌리기', en: 'Roll back' },
    returnPath: () => '/data',
    notice: { ko: '스냅샷을 되돌렸습니다.', en: 'The snapshot is served again.' },
    auditLabels: { snapshot_rolled_back: { ko: '스냅샷 되돌리기', en: 'Snapshot rolled back' } },
  },
} as const satisfies Partial<Actions>;

/** Points to a snapshot; 409 `snapshot_busy` while another process builds one. */
function pointBack(data: string, id: string): void {
  try {
    using _lock = new BuildLock(data);
    pointTo(data, id);
  } catch (error) {
    throw error instanceof BuildInProgress ? busy(error) : error;
  }
}

async function snapshotFacts(view: View, id: string): Promise<Facts> {
  const { text } = view;
  const { items } = await openDataReads.snapshots(view);
  const snapshot = items.find((one) => one.id === id);
  if (snapshot === undefined) return [];
  const difference = await openDataReads.snapshotDifference({
    ...view,
    parameters: { snapshot_id: id },
  });
  return [
    [text('생성 시각', 'Built'), moment(snapshot.built_at)],
    [text('크기', 'Size'), size(snapshot.bytes)],
    [text('생성 이유', 'Reason'), snapshotReason(view, snapshot.reason)],
    [
      text('현재 스냅샷과 다른 축', 'Axes that differ from the current snapshot'),
      text(`${difference.items.length}개`, String(difference.items.length)),
    ],
  ];
}

function alreadyCurrent(id: string): Problem {
  return new Problem('snapshot_is_current', {
    ko: `${id} 스냅샷을 이미 사용하고 있습니다.`,
    en: `The snapshot ${id} is being served already.`,
  });
}

function busy(cause: Error): Problem {
  const detail = {
    ko: '다른 프로세스가 스냅샷을 만들고 있습니다. 끝난 뒤 다시 시도하세요.',
    en: 'Another process is building a snapshot. Retry when it is done.',
  };
  return new Problem('snapshot_busy', detail, { cause });
}

function damaged(id: string, cause: Error): Problem {
  const detail = {
    ko: `${id} 스냅샷이 손상되어 되돌리지 않았습니다. 다른 스냅샷을 고르세요.`,
    en: `The snapshot ${id} is damaged and was not put in place. Choose another one.`,
  };
  return new Problem('snapshot_damaged', detail, { cause });
}
