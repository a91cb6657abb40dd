import type { adminContract } from '../contract/admin.ts';
import type { Body } from '../contract/route.ts';
import type { MemberContext } from './context.ts';
import { canonicalEmail, emailHash } from './email.ts';
import { isSvcUid } from './identifiers.ts';
import { mainRealm } from './platform-configuration.ts';
import { unknownPlatform } from './platforms.ts';
import { invalid } from './problem.ts';
import type { FoundMember } from './store/entities.ts';

/**
 * The member with the given `svc_uid`, `email` (in `realm`), or `local_user_id` on `platform`; null for none.
 * 422 `validation_failed` without any of them.
 */
export async function searchMember(
  context: MemberContext,
  {
    svc_uid: svcUid,
    email,
    realm,
    platform: code,
    local_user_id: localUserId,
  }: Body<typeof adminContract.search>,
): Promise<FoundMember | null> {
  const { members } = context.store.read;
  if (svcUid) return isSvcUid(svcUid) ? members.byUid(svcUid) : null;
  if (email) return members.byEmail(realm || mainRealm, emailHash(canonicalEmail(email)));
  if (localUserId === undefined || !code) throw missingCriterion();
  const platform = await context.platforms.byCode(code);
  if (platform === null) throw unknownPlatform();
  return members.byLocalUserId(platform.id, localUserId);
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
