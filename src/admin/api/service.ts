import { membersContract, type MemberOperation } from '../../contract/members.ts';
import { currentId, readManifest, snapshotIds } from '../../data/snapshot/snapshots.ts';
import type { BilingualText } from '../../contract/language.ts';
import { audit, verifyAudit } from '../../members/audit.ts';
import type { MemberContext } from '../../members/context.ts';
import { instantText } from '../../members/instant.ts';
import {
  issueKey,
  noSuchKey,
  revokeKey,
  rotateKey,
  scopes,
  type IssuedKey,
  type Scope,
} from '../../members/keys.ts';
import { memberLimits } from '../../members/limits.ts';
import { readPlatformConfiguration } from '../../members/platform-configuration.ts';
import { declarePlatforms, setPlatformDisabled } from '../../members/platforms.ts';
import { Problem } from '../../kernel/problem.ts';
import { invalid } from '../../members/problem.ts';
import { dayText, firstDayOfWeek, seoulDay, weekOf } from '../../members/seoul-day.ts';
import { northStar } from '../../members/statistics.ts';
import type { ApiKey, EventTotal } from '../../members/store/entities.ts';
import { replayMessage } from '../../members/webhook-delivery.ts';
import { addWebhookEndpoint, webhookTypes, type WebhookType } from '../../members/webhooks.ts';
import { actingOperator, type AdminCall, type AdminHandler } from './call.ts';
import { textOf } from './members.ts';
import { missLimit } from '../../members/http/lookup-misses.ts';
import { badKeyLimit } from '../../members/http/serve.ts';
import { storageState } from './storage-state.ts';

/** What an operator sees and does beside members. */
export const adminServiceHandlers = {
  async session({ name }) {
    return { operator: name };
  },

  async overview({ context }) {
    const { read } = context.store;
    const totals = await read.events.totals();
    const codes = new Map((await context.platforms.all()).map(({ id, code }) => [id, code]));
    return {
      // Registrations are journey events too.
      total_journey_events: totals.reduce((sum, { count }) => sum + count, 0),
      by_event: summed(totals, ({ event }) => event),
      by_source: summed(totals, ({ source }) => source),
      by_platform: summed(totals, ({ platformId }) => codes.get(platformId) ?? String(platformId)),
      members: await read.members.count(),
      sessions: await read.sessions.unexpiredCount(context.now()),
      events_by_week: await eventsByWeek(context),
      north_star: await northStar(context, 'operator', weeks),
    };
  },

  async platforms({ context }) {
    return { items: await context.platforms.all() };
  },

  async declarePlatform(call) {
    const operator = actingOperator(call);
    const { reason: _reason, ...declared } = call.body;
    await asValidation(async () =>
      declarePlatforms(
        call.context,
        readPlatformConfiguration({ platforms: [declared] }),
        operator,
      ),
    );
    return { ok: true, platform: await call.context.platforms.byCode(textOf(call.body, 'code')) };
  },

  async disablePlatform(call) {
    await setPlatformDisabled(call.context, call.parameters['code']!, true, actingOperator(call));
    return { ok: true };
  },

  async enablePlatform(call) {
    await setPlatformDisabled(call.context, call.parameters['code']!, false, actingOperator(call));
    return { ok: true };
  },

  async keys({ context, query }) {
    const platforms = await context.platforms.all();
    const { keys: known } = context.store.read;
    const after = query.get('after');
    const last = after === null ? null : await known.byId(after);
    if (after !== null && last === null) throw noSuchKey();
    const keys = await known.list(last, memberLimits.pageMax);
    const isFull = keys.length === memberLimits.pageMax;
    return {
      items: keys.map((key) => ({
        kid: key.kid,
        // Speaks for every platform: to be had by few and looked after.
        operator_key: key.platformId === null,
        platform: platforms.find(({ id }) => id === key.platformId)?.code ?? null,
        label: key.label,
        status: keyStatus(key, context.now()),
        scopes: key.scopes,
        created_at: iso(key.createdAt),
        expires_at: iso(key.expiresAt),
        revoked_at: iso(key.revokedAt),
        leaked_at: iso(key.leakedAt),
        last_used: key.lastUsedDay === null ? null : dayText(key.lastUsedDay),
        seen_in_browser: key.browserSeenDay === null ? null : dayText(key.browserSeenDay),
      })),
      next_cursor: isFull ? keys.at(-1)!.kid : null,
    };
  },

  async issueKey(call) {
    const { platform, scopes: wanted, label } = call.body;
    if (!Array.isArray(wanted) || !wanted.every(isScope) || wanted.length === 0) throw badScopes();
    const operator = actingOperator(call);
    const request = {
      platform: platform === null || platform === 'operator' ? null : textOf(call.body, 'platform'),
      scopes: wanted,
      label: typeof label === 'string' ? label : '',
    };
    return shownOnce(await asValidation(() => issueKey(call.context, request, operator)));
  },

  async rotateKey(call) {
    const hours = hoursOf(call.body['overlap_hours']);
    const { context, parameters } = call;
    const operator = actingOperator(call);
    const rotate = () => rotateKey(context, parameters['kid']!, hours * 3_600_000, operator);
    return shownOnce(await asValidation(rotate));
  },

  async revokeKey(call) {
    await revokeKey(call.context, call.parameters['kid']!, actingOperator(call));
    return { ok: true };
  },

  async leakedKey(call) {
    const { context, parameters } = call;
    await revokeKey(context, parameters['kid']!, actingOperator(call), { leaked: true });
    return { ok: true };
  },

  async audit({ context, query }) {
    const after = /^\d{1,15}$/.test(query.get('after') ?? '') ? Number(query.get('after')) : 0;
    const rows = await context.store.read.audit.after(after, memberLimits.pageMax);
    const items = rows.map(({ at, detail, ...row }) => ({
      ...row,
      at: iso(at),
      detail: JSON.parse(detail) as unknown,
    }));
    const isFull = rows.length === memberLimits.pageMax;
    return { items, next_cursor: isFull ? String(rows.at(-1)!.seq) : null };
  },

  async verifyAudit({ context }) {
    return verifyAudit(context);
  },

  async webhooks({ context, query }) {
    const { webhooks } = context.store.read;
    const given = query.get('before') ?? '';
    const before = /^\d{1,15}$/.test(given) ? Number(given) : Number.MAX_SAFE_INTEGER;
    const messages = await webhooks.list(before, messageRows);
    return {
      endpoints: (await webhooks.endpoints()).map(({ secret: _secret, createdAt, ...rest }) => ({
        ...rest,
        created_at: iso(createdAt),
      })),
      messages: messages.map((message) => ({
        id: message.id,
        message_id: message.messageId,
        endpoint_id: message.endpointId,
        type: message.type,
        attempts: message.attempts,
        status: message.status,
        created_at: iso(message.createdAt),
        next_at: iso(message.nextAt),
        delivered_at: iso(message.deliveredAt),
      })),
      next_cursor: messages.length < messageRows ? null : String(messages.at(-1)!.id),
    };
  },

  async addWebhook(call) {
    const url = textOf(call.body, 'url');
    const { types } = call.body;
    if (URL.parse(url)?.protocol !== 'https:') throw badWebhook('/url', badUrl);
    if (url.length > memberLimits.webhookUrlLengthMax) throw badWebhook('/url', badUrl);
    if (!Array.isArray(types) || !types.every(isWebhookType)) throw badWebhook('/types', badTypes);
    const wanted = [...new Set(types)];
    if (wanted.length === 0) throw badWebhook('/types', badTypes);
    const operator = actingOperator(call);
    const added = await asValidation(() => addWebhookEndpoint(call.context, url, wanted, operator));
    return { id: added.id, secret: added.secret };
  },

  async disableWebhook(call) {
    return switchWebhook(call, true);
  },

  async enableWebhook(call) {
    return switchWebhook(call, false);
  },

  async replayMessage(call) {
    const { context, parameters } = call;
    const operator = actingOperator(call);
    const id = Number(parameters['id']);
    const isThere = Number.isSafeInteger(id) && (await replayMessage(context, id, operator));
    if (!isThere) throw new Problem('not_found', noMessage);
    return { ok: true };
  },

  async snapshots({ data }) {
    const current = currentId(data);
    return {
      items: snapshotIds(data).map((id) => {
        const { builtAt, reason, files } = readManifest(data, id);
        const bytes = Object.values(files).reduce((sum, file) => sum + file.bytes, 0);
        return { id, is_current: id === current, built_at: builtAt, bytes, reason };
      }),
    };
  },

  async limits({ rateScale }) {
    const rows = Object.values<MemberOperation>(membersContract).map(({ limit }) => limit);
    const all = new Map([...rows, badKeyLimit, missLimit].map((limit) => [limit.name, limit]));
    return {
      // What a caller is told in its RateLimit headers.
      items: Array.from(all.values(), ({ name, calls, windowS }) => ({
        name,
        calls: rateScale === 0 ? null : calls * rateScale,
        window_s: windowS,
      })),
    };
  },

  async collections({ collections }) {
    return { items: collections() };
  },

  async storage({ data }) {
    return storageState(data);
  },

  async jobs({ context }) {
    const runs = await context.store.read.jobs.all();
    return {
      items: runs.map(({ startedAt, finishedAt, ...run }) => ({
        ...run,
        started_at: iso(startedAt),
        finished_at: iso(finishedAt),
      })),
    };
  },
} as const satisfies Record<string, AdminHandler>;

async function switchWebhook(call: AdminCall, disabled: boolean): Promise<object> {
  const { context, parameters } = call;
  const operator = actingOperator(call);
  await context.store.write(async (tx) => {
    const endpoint = (await tx.webhooks.endpoints()).find(({ id }) => id === parameters['id']);
    if (endpoint === undefined) throw new Problem('not_found', noWebhook);
    await tx.webhooks.putEndpoint({ ...endpoint, disabled });
    const action = disabled ? 'webhook_disabled' : 'webhook_enabled';
    await audit(context, tx, operator, { action, subject: endpoint.id });
  });
  return { ok: true };
}

function keyStatus(key: ApiKey, now: number): 'live' | 'ending' | 'expired' | 'revoked' {
  if (key.revokedAt !== null) return 'revoked';
  if (key.expiresAt === null) return 'live';
  return key.expiresAt <= now ? 'expired' : 'ending';
}

function summed(
  totals: readonly EventTotal[],
  nameOf: (total: EventTotal) => string,
): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const total of totals) sums[nameOf(total)] = (sums[nameOf(total)] ?? 0) + total.count;
  return sums;
}

/** Twelve weeks from Monday to Sunday, oldest first; the last is the one that goes on. */
async function eventsByWeek(context: MemberContext): Promise<readonly object[]> {
  const first = firstDayOfWeek(weekOf(seoulDay(context.now())) - weeks + 1);
  const totals = await context.store.read.events.totalsSince(first);
  return Array.from({ length: weeks }, (_, at) => {
    const from = first + at * 7;
    const own = totals.filter(({ day }) => day >= from && day < from + 7);
    return {
      from: dayText(from),
      events: own.reduce((sum, { count }) => sum + count, 0),
      registrations: own
        .filter(({ event }) => event === 'register')
        .reduce((sum, { count }) => sum + count, 0),
    };
  });
}

function shownOnce({ secret, key }: IssuedKey): object {
  return { kid: key.kid, key: secret, scopes: key.scopes, shown: 'once' };
}

/** What the domain says to people in a plain `Error` about their wish is a refusal here. */
async function asValidation<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error) || error.constructor !== Error) throw error;
    const text = { ko: error.message, en: error.message };
    throw new Problem('validation_failed', text, { cause: error });
  }
}

function isScope(value: unknown): value is Scope {
  return (scopes as readonly unknown[]).includes(value);
}

function isWebhookType(value: unknown): value is WebhookType {
  return (webhookTypes as readonly unknown[]).includes(value);
}

function badScopes() {
  return invalid(
    'validation_failed',
    '/scopes',
    { ko: '권한이 없거나 모르는 권한입니다.', en: 'A scope is missing or unknown.' },
    { ko: `${scopes.join(', ')} 가운데에서 고르세요.`, en: `Choose among ${scopes.join(', ')}.` },
  );
}

/** A day where nothing is said; a form sends numbers as text. */
function hoursOf(given: unknown): number {
  if (given === undefined || given === null || given === '') return 24;
  const isNumber = typeof given === 'number' || (typeof given === 'string' && given.trim() !== '');
  const hours = isNumber ? Number(given) : NaN;
  if (hours >= 0 && hours <= overlapHoursMax) return hours;
  throw invalid(
    'validation_failed',
    '/overlap_hours',
    { ko: '시간이 아니거나 너무 깁니다.', en: 'This is no number of hours, or too many.' },
    {
      ko: `0 이상 ${overlapHoursMax} 이하의 수를 적으세요.`,
      en: `Give a number from 0 to ${overlapHoursMax}.`,
    },
  );
}

const overlapHoursMax = memberLimits.keyOverlapMsMax / 3_600_000;

function badWebhook(pointer: string, fix: BilingualText) {
  const message = { ko: '웹훅을 추가할 수 없습니다.', en: 'This webhook cannot be added.' };
  return invalid('validation_failed', pointer, message, fix);
}

const badUrl = {
  ko: `${memberLimits.webhookUrlLengthMax}자까지의 https:// 주소를 적으세요.`,
  en: `Give an https:// address of up to ${memberLimits.webhookUrlLengthMax} characters.`,
};
const badTypes = {
  ko: `${webhookTypes.join(', ')} 가운데 하나 이상을 고르세요.`,
  en: `Choose one or more of ${webhookTypes.join(', ')}.`,
};
const noWebhook = { ko: '이 번호의 웹훅이 없습니다.', en: 'There is no webhook of this id.' };
const noMessage = { ko: '이 번호의 메시지가 없습니다.', en: 'There is no message of this id.' };

function iso(ms: number): string;
function iso(ms: number | null): string | null;
function iso(ms: number | null): string | null {
  return ms === null ? null : instantText(ms);
}

const weeks = 12;
const messageRows = 100;
