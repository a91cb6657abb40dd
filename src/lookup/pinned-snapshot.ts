import { isSnapshotId } from '../data/snapshot/layout.ts';
import { Problem } from '../kernel/problem.ts';
import { invalidParameter } from './refusals.ts';

/** Checks the id in the parameter `snapshot`. */
export function readSnapshotId(text: string): string {
  if (isSnapshotId(text)) return text;
  throw invalidParameter('snapshot', {
    ko: '20261121-0003과 같은 스냅샷 번호를 쓰세요.',
    en: 'Send the id of a snapshot, such as 20261121-0003.',
  });
}

/** 410 `snapshot_gone` for a parameter that names a snapshot which is no longer stored. */
export function snapshotGone(
  parameter: 'since' | 'snapshot',
  value: string,
  suggestions: readonly string[],
): Problem {
  const stored = suggestions.join(', ');
  const detail = {
    ko: `${value}의 스냅샷은 보관하지 않습니다. 쓸 수 있는 스냅샷: ${stored}`,
    en: `The snapshot of ${value} is no longer stored. Use one of: ${stored}`,
  };
  const reason = {
    ko: '더는 보관하지 않는 스냅샷입니다.',
    en: 'This snapshot is no longer stored.',
  };
  const errors = [{ parameter, reason, value }];
  return new Problem('snapshot_gone', detail, { errors, extra: { suggestions } });
}
