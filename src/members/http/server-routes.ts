import type { membersContract } from '../../contract/members.ts';
import type { Answer } from '../../contract/route.ts';
import type { Language } from '../../contract/language.ts';
import { operatorOf, type Operator } from '../audit.ts';
import { changeMembership } from '../change-membership.ts';
import { giveConsent, listConsents, withdrawConsent } from '../consents.ts';
import type { EventAnswer } from '../event-storage.ts';
import { recordCardIssued, recordEvent, recordEvents } from '../events.ts';
import { grantEntitlement, listEntitlements, revokeEntitlement } from '../entitlements.ts';
import { exportMember } from '../export.ts';
import { instantText } from '../instant.ts';
import { endMembership, eraseForPlatform, leave } from '../leave.ts';
import { lookUpMember } from '../lookup.ts';
import { memberLimits } from '../limits.ts';
import { Problem } from '../../kernel/problem.ts';
import { invalid } from '../problem.ts';
import { reconcile } from '../reconcile.ts';
import { register, type RegisterAnswer } from '../register.ts';
import { registerBatch } from '../register-batch.ts';
import type { StatisticsViewer } from '../suppression.ts';
import { crossPlatform, northStar } from '../statistics.ts';
import { issueSso, revokeSso, verifySso } from '../sso.ts';
import { problemResult } from '../../kernel/http/problem-body.ts';
import { watchAssertedLinks } from './asserted-links.ts';
import { platformOf, type ServerCall, type ServerHandlers } from './calls.ts';
import { cookieMaxAgeS, cookiePair } from './cookies.ts';
import { countMiss, refuseEnumeration } from './lookup-misses.ts';

/** Handlers of the routes for servers. */
export const serverHandlers = {
  async register(call) {
    const { host, caller, body, language } = call;
    const answer = await register(host.context, caller, body);
    await watchAssertedLinks(call, [answer]);
    return { status: answer.created ? 201 : 200, body: registrationBody(answer, language) };
  },

  async registerBatch(call) {
    const { host, caller, body, language } = call;
    const answers = await registerBatch(host.context, caller, body.registrations);
    await watchAssertedLinks(call, answers);
    return batchResult(answers, language, (answer) => ({
      status: answer.created ? 201 : 200,
      ...registrationBody(answer, language),
    }));
  },

  async reconcile(call) {
    const { platform: code, hashes, local_user_ids: localUserIds } = call.body;
    const platform = await platformOf(call, code);
    const missing = await reconcile(call.host.context, platform, hashes, localUserIds);
    return { status: 200, body: { missing, checked: hashes.length } };
  },

  async changeMembership(call) {
    const { svc_uid: svcUid, platform: code } = call.parameters;
    const platform = await platformOf(call, code);
    const operator = operatorOf(`key:${call.caller.kid}`, 'changed by the platform');
    const { context } = call.host;
    const answer = await changeMembership(context, platform, svcUid, call.body, operator);
    return { status: 200, body: answer };
  },

  async endMembership(call) {
    const { svc_uid: svcUid, platform: code } = call.parameters;
    const platform = await platformOf(call, code);
    const { context } = call.host;
    const answer = await endMembership(context, platform, svcUid, call.body, leavingOperator(call));
    return { status: 200, body: answer };
  },

  async leave(call) {
    const platform = await platformOf(call, call.body.platform);
    return {
      status: 200,
      body: await leave(call.host.context, platform, call.body, leavingOperator(call)),
    };
  },

  async exportMember(call) {
    const { svc_uid: svcUid, platform: code } = call.parameters;
    const platform = await platformOf(call, code);
    const operator = operatorOf(`key:${call.caller.kid}`, 'exported by the platform');
    const answer = await exportMember(call.host.context, svcUid, operator, platform);
    return { status: 200, body: answer };
  },

  async eraseMember(call) {
    const { svc_uid: svcUid, platform: code } = call.parameters;
    const platform = await platformOf(call, code);
    const answer = await eraseForPlatform(
      call.host.context,
      platform,
      svcUid,
      call.body,
      leavingOperator(call),
    );
    return { status: 200, body: answer };
  },

  async event({ host, caller, body }) {
    return eventResult(await recordEvent(host.context, caller, body));
  },

  async eventBatch({ host, caller, body, language }) {
    const answers = await recordEvents(host.context, caller, body.events);
    return eventBatchResult(answers, language);
  },

  async cardIssued({ host, caller, body }) {
    return eventResult(await recordCardIssued(host.context, caller, body));
  },

  async issue({ host, caller, body }) {
    const { token, svcUid, id, expiresAt } = await issueSso(host.context, caller, body);
    return {
      status: 200,
      body: {
        svc_uid: svcUid,
        session_id: id,
        expires_at: instantText(expiresAt),
        max_age: cookieMaxAgeS,
        cookie_domain: host.cookies.domain,
        relay_required: true,
      },
      cookies: cookiePair(host.cookies, token, svcUid),
    };
  },

  async verify(call) {
    const platform = await platformOf(call, call.body.platform);
    const verdict = await verifySso(call.host.context, platform, call.body.token);
    return { status: 200, body: verdict };
  },

  async revoke(call) {
    const platform = await platformOf(call, call.body.platform);
    const body = await revokeSso(call.host.context, call.caller, platform, call.body);
    return { status: 200, body };
  },

  async lookup(call) {
    return lookUp(call, call.body, call.body.platform);
  },

  async member(call) {
    const { svc_uid, platform } = call.parameters;
    return lookUp(call, { svc_uid }, platform);
  },

  async entitlements(call) {
    const { svc_uid: svcUid, at, platform: code } = call.parameters;
    const platform = await platformOf(call, code);
    const body = await listEntitlements(call.host.context, platform, svcUid, at);
    return { status: 200, body };
  },

  async grantEntitlement(call) {
    const { svc_uid: svcUid, code, platform: platformCode } = call.parameters;
    const { context } = call.host;
    const platform = await platformOf(call, platformCode);
    const { member, entitlement } = await context.store.write((tx) =>
      grantEntitlement(context, tx, platform, svcUid, code, call.body),
    );
    return { status: 200, body: { svc_uid: member.svcUid, entitlement } };
  },

  async revokeEntitlement(call) {
    const { svc_uid: svcUid, code, platform: platformCode } = call.parameters;
    const { context } = call.host;
    const platform = await platformOf(call, platformCode);
    const { member, ended } = await context.store.write((tx) =>
      revokeEntitlement(context, tx, platform, svcUid, code, call.body.expected_local_user_id),
    );
    return { status: 200, body: { svc_uid: member.svcUid, ended } };
  },

  async consents(call) {
    const { svc_uid: svcUid, platform: code } = call.parameters;
    const platform = await platformOf(call, code);
    return { status: 200, body: await listConsents(call.host.context, platform, svcUid) };
  },

  async giveConsent(call) {
    const { svc_uid: svcUid, purpose, platform: code } = call.parameters;
    const platform = await platformOf(call, code);
    const body = await giveConsent(call.host.context, platform, svcUid, purpose, call.body);
    return { status: 200, body };
  },

  async withdrawConsent(call) {
    const { svc_uid: svcUid, purpose, platform: code } = call.parameters;
    const platform = await platformOf(call, code);
    const body = await withdrawConsent(call.host.context, platform, svcUid, purpose, call.body);
    return { status: 200, body };
  },

  async crossPlatform(call) {
    return { status: 200, body: await crossPlatform(call.host.context, viewerOf(call)) };
  },

  async northStar(call) {
    const weeks = weeksOf(call.parameters.weeks);
    return { status: 200, body: await northStar(call.host.context, viewerOf(call), weeks) };
  },
} as const satisfies ServerHandlers;

function leavingOperator({ caller }: Pick<ServerCall, 'caller'>): Operator {
  return operatorOf(`key:${caller.kid}`, 'left the platform');
}

function registrationBody(
  answer: RegisterAnswer,
  language: Language,
): Answer<typeof membersContract.register> {
  const warnings = answer.warnings.map((warning) => ({
    ...warning,
    message: warning.message[language],
  }));
  return { ...answer, warnings };
}

export function eventResult(body: EventAnswer) {
  return { status: body.duplicate ? 200 : 201, body };
}

export function eventBatchResult(answers: readonly (EventAnswer | Problem)[], language: Language) {
  return batchResult(answers, language, (answer) => ({
    status: answer.duplicate ? 200 : 201,
    ...answer,
  }));
}

/** Results in the order of the items of a batch. */
function batchResult<Result extends object, Entry extends object>(
  answers: readonly (Result | Problem)[],
  language: Language,
  entryOf: (answer: Result) => Entry,
) {
  const refused = answers.filter((answer) => answer instanceof Problem).length;
  const results = answers.map((answer) =>
    answer instanceof Problem ? problemResult(answer, language) : entryOf(answer),
  );
  return { status: 200, body: { results, accepted: answers.length - refused, refused } };
}

/** Finds a member. Misses are counted: a caller that enumerates addresses is refused and reported to the operator. */
async function lookUp(
  call: Pick<ServerCall, 'host' | 'caller'>,
  criteria: Parameters<typeof lookUpMember>[2],
  platformCode: string | undefined,
) {
  refuseEnumeration(call);
  const platform = await platformOf(call, platformCode);
  try {
    const member = await lookUpMember(call.host.context, platform, criteria);
    return { status: 200, body: { member } };
  } catch (error) {
    if (error instanceof Problem && error.code === 'member_not_found') await countMiss(call);
    throw error;
  }
}

function viewerOf({ caller }: Pick<ServerCall, 'caller'>): StatisticsViewer {
  return caller.platform === null ? 'operator' : 'platform';
}

function weeksOf(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined;
  const weeks = /^\d{1,2}$/.test(text) ? Number(text) : 0;
  if (weeks >= 1 && weeks <= memberLimits.weeksMax) return weeks;
  throw invalid(
    'validation_failed',
    '/weeks',
    { ko: 'weeks가 올바르지 않습니다.', en: 'The parameter weeks is malformed.' },
    {
      ko: `1부터 ${memberLimits.weeksMax}까지의 수를 보내세요.`,
      en: `Send a number from 1 to ${memberLimits.weeksMax}.`,
    },
  );
}
