import type { Language } from '../../contract/language.ts';
import { operatorOf } from '../audit.ts';
import type { Body } from '../body.ts';
import { isObject } from '../../kernel/json-object.ts';
import type { EventAnswer } from '../event-storage.ts';
import { recordCardIssued, recordEvent, recordEvents } from '../events.ts';
import { instantText } from '../instant.ts';
import { lookUpMember } from '../lookup.ts';
import { memberLimits } from '../limits.ts';
import { rebindMembership } from '../membership.ts';
import { Problem } from '../../kernel/problem.ts';
import { invalid } from '../problem.ts';
import { reconcile } from '../reconcile.ts';
import { register, registerBatch, type RegisterAnswer } from '../register.ts';
import type { StatisticsViewer } from '../suppression.ts';
import { crossPlatform, northStar } from '../statistics.ts';
import { issueSso, revokeSso, verifySso } from '../sso.ts';
import { problemResult } from '../../kernel/http/problem-body.ts';
import type { Answer } from './answer.ts';
import { platformOf, type ServerCall, type ServerHandler } from './calls.ts';
import { cookieMaxAgeS, cookiePair } from './cookies.ts';
import { countMiss, refuseEnumeration } from './lookup-misses.ts';

/** What a server's key can ask, by the contract's rows. */
export const serverHandlers = {
  async register({ host, caller, body, request }) {
    const answer = await register(host.context, caller, body);
    return { status: answer.created ? 201 : 200, body: registered(answer, request.language) };
  },

  async registerBatch({ host, caller, body, request: { language } }) {
    const bodies = objectsOf(body, 'registrations');
    const answers = await registerBatch(host.context, caller, bodies);
    return batch(answers, language, (answer) => ({
      status: answer.created ? 201 : 200,
      ...registered(answer, language),
    }));
  },

  async reconcile(call) {
    const platform = await platformOf(call, call.body['platform']);
    const { hashes } = call.body;
    if (!Array.isArray(hashes) || !hashes.every((hash) => typeof hash === 'string')) {
      throw notAList('hashes');
    }
    const missing = await reconcile(call.host.context, platform, hashes);
    return { status: 200, body: { missing, checked: hashes.length } };
  },

  async rebind(call) {
    const { svc_uid: svcUid = '', platform: code } = call.parameters;
    const platform = await platformOf(call, code);
    const operator = operatorOf(`key:${call.caller.kid}`, 'rebound by the platform');
    const { context } = call.host;
    const answer = await rebindMembership(context, platform, svcUid, call.body, operator);
    return { status: 200, body: answer };
  },

  async event({ host, caller, body }) {
    return eventAnswered(await recordEvent(host.context, caller, body));
  },

  async eventBatch({ host, caller, body, request }) {
    const answers = await recordEvents(host.context, caller, objectsOf(body, 'events'));
    return eventsAnswered(answers, request.language);
  },

  async cardIssued({ host, caller, body }) {
    return eventAnswered(await recordCardIssued(host.context, caller, body));
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
    const platform = await platformOf(call, call.body['platform']);
    const verdict = await verifySso(call.host.context, platform, call.body['token']);
    return { status: 200, body: verdict };
  },

  async revoke(call) {
    const platform = await platformOf(call, call.body['platform']);
    const body = await revokeSso(call.host.context, call.caller, platform, call.body);
    return { status: 200, body };
  },

  async lookup(call) {
    return lookedUp(call, call.body, call.body['platform']);
  },

  async member(call) {
    const question = { svc_uid: call.parameters['svc_uid'] };
    return lookedUp(call, question, call.query.get('platform') ?? undefined);
  },

  async crossPlatform(call) {
    return { status: 200, body: await crossPlatform(call.host.context, viewerOf(call)) };
  },

  async northStar(call) {
    const weeks = weeksOf(call.query.get('weeks'));
    return { status: 200, body: await northStar(call.host.context, viewerOf(call), weeks) };
  },
} as const satisfies Record<string, ServerHandler>;

function registered(answer: RegisterAnswer, language: Language): object {
  const warnings = answer.warnings.map((warning) => ({
    ...warning,
    message: warning.message[language],
  }));
  return { ...answer, warnings };
}

export function eventAnswered(answer: EventAnswer): Answer {
  return { status: answer.duplicate ? 200 : 201, body: answer };
}

export function eventsAnswered(
  answers: readonly (EventAnswer | Problem)[],
  language: Language,
): Answer {
  return batch(answers, language, (answer) => ({
    status: answer.duplicate ? 200 : 201,
    ...answer,
  }));
}

/** The results in the order of what was sent. */
function batch<Result extends object>(
  answers: readonly (Result | Problem)[],
  language: Language,
  good: (answer: Result) => object,
): Answer {
  const refused = answers.filter((answer) => answer instanceof Problem).length;
  const results = answers.map((answer) =>
    answer instanceof Problem ? problemResult(answer, language) : good(answer),
  );
  return { status: 200, body: { results, accepted: answers.length - refused, refused } };
}

/** A miss costs: who asks for address after address is stopped and the operator told. */
async function lookedUp(call: ServerCall, question: Body, named: unknown): Promise<Answer> {
  refuseEnumeration(call);
  const platform = await platformOf(call, named);
  try {
    const member = await lookUpMember(call.host.context, platform, question);
    return { status: 200, body: { member } };
  } catch (error) {
    if (error instanceof Problem && error.code === 'member_not_found') await countMiss(call);
    throw error;
  }
}

function viewerOf({ caller }: ServerCall): StatisticsViewer {
  return caller.platform === null ? 'operator' : 'platform';
}

function weeksOf(text: string | null): number | undefined {
  if (text === null || text === '') return undefined;
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

export function objectsOf(body: Body, name: string): readonly Body[] {
  const list = body[name];
  if (Array.isArray(list) && list.every(isObject)) return list;
  throw notAList(name);
}

function notAList(name: string): Problem {
  return invalid(
    'validation_failed',
    `/${name}`,
    { ko: `${name}가 올바른 목록이 아닙니다.`, en: `The list ${name} is missing or malformed.` },
    { ko: `${name}에 목록을 보내세요.`, en: `Send a list in ${name}.` },
  );
}
