import type { MemberContext } from './context.ts';
import { Problem } from '../kernel/problem.ts';
import { memberLimits } from './limits.ts';
import type { ConsentPurpose } from './store/consent-entities.ts';
import type { Platform } from './store/entities.ts';
import type { MemberReads } from './store/store.ts';

/**
 * True if data of a member may pass from one platform to another. Between two companies the member must have consented,
 * if the operator has defined a purpose of third-party provision to the receiver. Only a consent that a platform of the
 * providing company stored counts: a receiver cannot consent for the member.
 */
export async function isProvisionAllowed(
  { platforms }: MemberContext,
  reads: MemberReads,
  memberId: number,
  from: Platform | undefined,
  to: Platform,
): Promise<boolean> {
  if (from === undefined || !haveDifferentCompanies(from, to)) return true;
  const codes = (await platforms.consentPurposes())
    .filter((purpose) => namesRecipient(purpose, to))
    .map(({ code }) => code);
  if (codes.length === 0) return true;
  const all = await platforms.all();
  for (const { id, platformId } of await reads.memberships.of(memberId)) {
    if (all.find((platform) => platform.id === platformId)?.company !== from.company) continue;
    const latest = await reads.consents.latest(id, memberLimits.consentsReadMax);
    if (latest.some(({ purpose, granted }) => granted && codes.includes(purpose))) return true;
  }
  return false;
}

/** 403 `consent_required` if another company of the member may not pass its data to the platform. */
export async function requireProvision(
  context: MemberContext,
  reads: MemberReads,
  member: { readonly id: number; readonly platforms: number },
  to: Platform,
): Promise<void> {
  // Most platforms declare no company, and need no statement.
  if (to.company === null) return;
  const all = await context.platforms.all();
  for (const from of all.filter(({ id }) => (member.platforms & (1 << id)) !== 0)) {
    if (!(await isProvisionAllowed(context, reads, member.id, from, to))) throw consentRequired();
  }
}

function haveDifferentCompanies(from: Platform, to: Platform): boolean {
  return from.company !== null && to.company !== null && from.company !== to.company;
}

function namesRecipient({ recipients }: ConsentPurpose, { code, realm }: Platform): boolean {
  return (
    recipients !== null &&
    (recipients.platforms.includes(code) || recipients.realms.includes(realm))
  );
}

function consentRequired(): Problem {
  return new Problem('consent_required', {
    ko: '회원이 다른 회사의 플랫폼에서 제3자 제공에 동의하지 않았습니다. 동의를 받은 뒤 그 플랫폼이 저장해야 합니다.',
    en: 'The member has not consented to third-party provision on a platform of the other company. That platform stores the consent once it is given.',
  });
}
