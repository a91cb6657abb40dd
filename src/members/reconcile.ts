import { refuseOversized } from './batch.ts';
import type { MemberContext } from './context.ts';
import { memberLimits } from './limits.ts';
import { invalid } from './problem.ts';
import type { Platform } from './store/entities.ts';

/**
 * Returns those SHA-256 hashes (hex) of a platform's canonical addresses that have no membership. Given the local ids
 * in the same order, also returns hashes whose membership has another id: the addresses of these users have changed.
 */
export async function reconcile(
  context: MemberContext,
  platform: Platform,
  hashes: readonly string[],
  localUserIds?: readonly string[],
): Promise<readonly string[]> {
  refuseOversized(hashes.length, memberLimits.reconcileHashesMax);
  if (localUserIds !== undefined && localUserIds.length !== hashes.length) throw uneven();
  const missing: string[] = [];
  for (const [at, hash] of hashes.entries()) {
    if (!(await isLinked(context, platform, hash, localUserIds?.[at]))) missing.push(hash);
  }
  return missing;
}

async function isLinked(
  { store }: MemberContext,
  platform: Platform,
  hash: string,
  localUserId: string | undefined,
): Promise<boolean> {
  if (!/^[0-9a-f]{64}$/i.test(hash)) return false;
  const found = await store.read.memberships.byAddress(platform, Buffer.from(hash, 'hex'));
  const link = found?.link ?? null;
  if (link === null) return false;
  return localUserId === undefined || link.localUserId === null || link.localUserId === localUserId;
}

function uneven() {
  return invalid(
    'validation_failed',
    '/local_user_ids',
    {
      ko: 'local_user_ids와 hashes의 개수가 다릅니다.',
      en: 'There are not as many ids as hashes.',
    },
    {
      ko: 'hashes와 같은 순서로, 해시마다 하나씩 보내세요.',
      en: 'Send one id for each hash, in the same order.',
    },
  );
}
