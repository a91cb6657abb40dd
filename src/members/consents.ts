import type { membersContract } from '../contract/members.ts';
import type { Answer, Body } from '../contract/route.ts';
import { Problem } from '../kernel/problem.ts';
import { requireMoment } from './body.ts';
import { resolveVersion, isPurposeCode } from './consent-purpose.ts';
import { consentsOf, insertConsents, type Statement } from './consent-records.ts';
import { reminderDueAt } from './consent-reminders.ts';
import type { MemberContext } from './context.ts';
import { instantText } from './instant.ts';
import { memberLimits } from './limits.ts';
import { requireLink, requireUnambiguousLink } from './membership.ts';
import { findForbidden } from './forbidden-content.ts';
import { codeAdvice, forbiddenContent, invalid } from './problem.ts';
import type { Consent, ConsentPurpose } from './store/consent-entities.ts';
import type { Membership, Platform } from './store/entities.ts';
import type { MemberReads } from './store/store.ts';
import { storedText } from './stored-text.ts';

/**
 * Stores a consent that a member gave on the platform. A repeat of the consent in force changes nothing, unless it
 * reports that the member was reminded of it. 422 `unknown_purpose`, `too_many_consents`.
 */
export async function giveConsent(
  context: MemberContext,
  platform: Platform,
  svcUid: string,
  purpose: string,
  {
    version,
    given_at: at,
    reminded = false,
    expected_local_user_id: expected,
  }: Body<typeof membersContract.giveConsent>,
): Promise<Answer<typeof membersContract.giveConsent>> {
  const givenAt = momentOrNow(context, at, '/given_at');
  const lengthMax = memberLimits.consentVersionLengthMax;
  const textVersion = version === undefined ? null : storedText(version, lengthMax);
  const statement = { purpose, granted: true, textVersion, givenAt, reminded };
  refuseForbidden(statement, context.now());
  const known = requireKnown(await context.platforms.consentPurposes(), statement);
  return context.store.write(async (tx) => {
    const { member, link } = await requireUnambiguousLink(tx, platform, svcUid, expected);
    const before = await latestAbout(tx, link, purpose);
    if (reminded && before?.granted !== true) throw nothingToRemindOf();
    const consent = { ...known, textVersion: reminded ? before!.textVersion : known.textVersion };
    const recorded = (await insertConsents(tx, link.id, [consent])).length > 0;
    const after = await latestAbout(tx, link, purpose);
    if (after === undefined) throw tooManyConsents();
    if (!recorded && !isSame(after, consent)) throw tooManyConsents();
    return { svc_uid: member.svcUid, consent: statementView(after), recorded };
  });
}

/** Stores that a member withdrew a consent on the platform. The consent itself stays stored. 422 `unknown_purpose`. */
export async function withdrawConsent(
  context: MemberContext,
  platform: Platform,
  svcUid: string,
  purpose: string,
  {
    withdrawn_at: at,
    expected_local_user_id: expected,
  }: Body<typeof membersContract.withdrawConsent>,
): Promise<Answer<typeof membersContract.withdrawConsent>> {
  const givenAt = momentOrNow(context, at, '/withdrawn_at');
  const statement = { purpose, granted: false, textVersion: null, givenAt, reminded: false };
  refuseForbidden(statement, context.now());
  const purposes = await context.platforms.consentPurposes();
  return context.store.write(async (tx) => {
    const { member, link } = await requireUnambiguousLink(tx, platform, svcUid, expected);
    const before = await latestAbout(tx, link, purpose);
    // A consent from before its purpose was configured can be withdrawn, too.
    const known = before === undefined ? requireKnown(purposes, statement) : statement;
    const withdrawal = { ...known, textVersion: before?.textVersion ?? known.textVersion };
    const recorded = (await insertConsents(tx, link.id, [withdrawal])).length > 0;
    const after = (await latestAbout(tx, link, purpose)) ?? withdrawal;
    return { svc_uid: member.svcUid, consent: statementView(after), recorded };
  });
}

/** The latest statement about each purpose on the platform, and the history of all statements, newest first. */
export async function listConsents(
  context: MemberContext,
  platform: Platform,
  svcUid: string,
): Promise<Answer<typeof membersContract.consents>> {
  const { read } = context.store;
  const { member, link } = await requireLink(read, platform, svcUid);
  const purposes = await context.platforms.consentPurposes();
  const latest = await read.consents.latest(link.id, memberLimits.consentsReadMax);
  const granted = latest.filter((consent) => consent.granted).map(({ purpose }) => purpose);
  const history = await consentsOf(read, link.id);
  return {
    svc_uid: member.svcUid,
    platform: platform.code,
    consents: latest.map((consent) => ({
      ...statementView(consent),
      reminder_due_at: dueText(purposes, consent),
    })),
    missing: purposes
      .filter(({ required, retired, code }) => required && !retired && !granted.includes(code))
      .map(({ code }) => code),
    history: history.map(statementView).reverse(),
  };
}

/** Statements that a member made through its links, newest first. */
export async function consentHistory(context: MemberContext, links: readonly Membership[]) {
  const purposes = await context.platforms.consentPurposes();
  const statements = [];
  for (const { id, platformId } of links) {
    const platform = (await context.platforms.byId(platformId))?.code ?? String(platformId);
    const latest = await context.store.read.consents.latest(id, memberLimits.consentsReadMax);
    for (const consent of await consentsOf(context.store.read, id)) {
      const isLatest = latest.some((each) => each.id === consent.id);
      const due = isLatest ? dueText(purposes, consent) : null;
      const view = { ...statementView(consent), reminder_due_at: due };
      statements.push({ ...view, platform, latest: isLatest });
    }
  }
  return statements.toSorted((a, b) => (a.given_at < b.given_at ? 1 : -1));
}

/** The moment at which the member must be reminded of a consent; null if never. */
function dueText(
  purposes: readonly ConsentPurpose[],
  { purpose, granted, givenAt }: Consent,
): string | null {
  const isMarketing = purposes.some(({ code, marketing }) => code === purpose && marketing);
  return granted && isMarketing ? instantText(reminderDueAt(givenAt)) : null;
}

/** A statement as answers and exports show it. */
export function statementView({ purpose, granted, textVersion, givenAt, reminded }: Statement) {
  return {
    purpose,
    granted,
    version: textVersion,
    given_at: instantText(givenAt),
    reminded,
  };
}

/** The latest statement about a purpose, which may be a withdrawal. */
async function latestAbout(
  reads: MemberReads,
  { id }: Membership,
  purpose: string,
): Promise<Consent | undefined> {
  const latest = await reads.consents.latest(id, memberLimits.consentsReadMax);
  return latest.find((consent) => consent.purpose === purpose);
}

/** True if the latest statement is the one that was sent, or a later one. */
function isSame(after: Consent, { textVersion, givenAt }: Statement): boolean {
  return after.textVersion === textVersion || after.givenAt > givenAt;
}

function requireKnown(purposes: readonly ConsentPurpose[], statement: Statement): Statement {
  if (!isPurposeCode(statement.purpose)) throw unknownPurpose([]);
  const known = resolveVersion(purposes, statement);
  if (known === 'unknown_purpose') throw unknownPurpose(purposes);
  if (known === 'unknown_version') throw unknownVersion();
  return known;
}

function refuseForbidden({ purpose, textVersion }: Statement, now: number): void {
  if (findForbidden(purpose, now) !== null) throw forbiddenContent('purpose');
  if (findForbidden(textVersion, now) !== null) throw forbiddenContent('version');
}

function momentOrNow({ now }: MemberContext, text: string | undefined, pointer: string): number {
  return text === undefined ? now() : Math.min(requireMoment(text, pointer), now());
}

function unknownPurpose(purposes: readonly ConsentPurpose[]): Problem {
  const codes = purposes.filter(({ retired }) => !retired).map(({ code }) => code);
  return invalid(
    'unknown_purpose',
    '/purpose',
    { ko: '없는 동의 목적입니다.', en: 'There is no purpose with this code.' },
    codeAdvice(codes, {
      ko: '영어 글자, 숫자, _, ., :, -로 64자 이내의 코드를 보내세요.',
      en: 'Send a code of up to 64 letters, digits, _, dots, colons and -.',
    }),
  );
}

function unknownVersion(): Problem {
  return invalid(
    'validation_failed',
    '/version',
    { ko: '없는 동의문 버전입니다.', en: 'The purpose has no text of this version.' },
    {
      ko: '운영자가 정한 버전을 보내거나, 지금 버전이면 비우세요.',
      en: 'Send a version that the operator defined, or none for the current one.',
    },
  );
}

function nothingToRemindOf(): Problem {
  return invalid(
    'validation_failed',
    '/reminded',
    { ko: '유지되고 있는 동의가 없습니다.', en: 'No consent of this purpose is in force.' },
    {
      ko: '새로 받은 동의라면 reminded 없이 보내세요.',
      en: 'Send a new consent without reminded.',
    },
  );
}

function tooManyConsents(): Problem {
  return new Problem('too_many_consents', {
    ko: '이 연결에 저장된 동의 기록이 너무 많아 더 저장하지 않았습니다. 철회는 언제나 저장됩니다.',
    en: 'The link has too many records of consents to store another. Withdrawals are always stored.',
  });
}
