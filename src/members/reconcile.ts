import { refuseOversized } from './batch.ts';
import type { MemberContext } from './context.ts';
import { memberLimits } from './limits.ts';
import type { Platform } from './store/entities.ts';

/** Returns those SHA-256 hashes (hex) of a platform's canonical addresses that have no membership here. */
export async function reconcile(
  context: MemberContext,
  platform: Platform,
  hashes: readonly string[],
): Promise<readonly string[]> {
  refuseOversized(hashes.length, memberLimits.reconcileHashesMax);
  const missing: string[] = [];
  for (const hash of hashes) {
    if (!(await isLinked(context, platform, hash))) missing.push(hash);
  }
  return missing;
}

async function isLinked(
  { store }: MemberContext,
  platform: Platform,
  hash: string,
): Promise<boolean> {
  if (!/^[0-9a-f]{64}$/i.test(hash)) return false;
  const member = await store.read.members.byAddress(platform, Buffer.from(hash, 'hex'));
  if (member === null) return false;
  return (await store.read.memberships.at(member.homeId, platform.id)) !== null;
}
