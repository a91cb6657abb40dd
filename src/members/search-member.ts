import type { JsonObject } from '../kernel/json-object.ts';
import type { MemberContext } from './context.ts';
import { canonicalEmail, emailHash } from './email.ts';
import { isSvcUid } from './identifiers.ts';
import { unknownPlatform } from './platforms.ts';
import { invalid } from './problem.ts';
import type { FoundMember } from './store/entities.ts';

/**
 * The member with the given `svc_uid`, `email` (in `realm`), or `local_user_id` on `platform`; null for none.
 * 422 `validation_failed` without any of them.
 */
export async function searchMember(
  context: MemberContext,
  { svc_uid: svcUid, email, realm, platform: code, local_user_id: localUserId }: JsonObject,
): Promise<FoundMember | null> {
  const { members } = context.store.read;
  if (typeof svcUid === 'string' && svcUid !== '') {
    return isSvcUid(svcUid) ? members.byUid(svcUid) : null;
  }
  if (typeof email === 'string' && email !== '') {
    const named = typeof realm === 'string' && realm !== '' ? realm : 'main';
    return members.byEmail(named, emailHash(canonicalEmail(email)));
  }
  if (typeof localUserId !== 'string' || typeof code !== 'string') throw missingCriterion();
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
