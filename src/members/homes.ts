import { Problem } from '../kernel/problem.ts';
import { memberLimits } from './limits.ts';
import type { Member } from './store/entities.ts';
import type { MemberReads } from './store/store.ts';

/** Ids of a member and of those merged into it; 422 `validation_failed` beyond `mergedMembersMax`. */
export async function homesOf(reads: MemberReads, member: Member): Promise<readonly number[]> {
  const most = memberLimits.mergedMembersMax;
  const merged = await reads.merges.homesIn(member.id, most + 1);
  if (merged.length > most) {
    throw new Problem('validation_failed', {
      ko: `한 회원에 ${most}명까지 합칠 수 있습니다.`,
      en: `At most ${most} members can be merged into one.`,
    });
  }
  return [member.id, ...merged];
}
