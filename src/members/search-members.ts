import type { adminContract } from '../contract/admin.ts';
import type { Body } from '../contract/route.ts';
import type { MemberContext } from './context.ts';
import { canonicalEmail, emailHash } from './email.ts';
import { isSvcUid } from './identifiers.ts';
import { memberLimits } from './limits.ts';
import { mainRealm } from './platform-configuration.ts';
import { unknownPlatform } from './platforms.ts';
import { invalid } from './problem.ts';
import type { FoundMember } from './store/entities.ts';

/**
 * The member with the given `svc_uid`, `email` (in `realm`), or `local_user_id` on `platform`. The member that has the
 * address comes before members that gave it up. 422 `validation_failed` without a criterion.
 */
export async function searchMembers(
  context: MemberContext,
  {
    svc_uid: svcUid,
    email,
    realm,
    platform: code,
    local_user_id: localUserId,
  }: Body<typeof adminContract.search>,
): Promise<readonly FoundMember[]> {
  const { members } = context.store.read;
  if (svcUid) return listOf(isSvcUid(svcUid) ? await members.byUid(svcUid) : null);
  if (email) {
    const address = [realm || mainRealm, emailHash(canonicalEmail(email))] as const;
    const current = listOf(await members.byEmail(...address));
    const former = await members.formerlyAt(...address, memberLimits.pageMax);
    return [...new Map([...current, ...former].map((member) => [member.id, member])).values()];
  }
  if (localUserId === undefined || !code) throw missingCriterion();
  const platform = await context.platforms.byCode(code);
  if (platform === null) throw unknownPlatform();
  return listOf(await members.byLocalUserId(platform.id, localUserId));
}

function listOf(member: FoundMember | null): readonly FoundMember[] {
  return member === null ? [] : [member];
}

function missingCriterion() {
  return invalid(
    'validation_failed',
    '',
    { ko: '검색 조건이 없습니다.', en: 'The search has no criterion.' },
    {
      ko: 'svc_uid, email, 또는 platform과 local_user_id를 입력하세요.',
      en: 'Give svc_uid, email, or platform and local_user_id.',
    },
  );
}
