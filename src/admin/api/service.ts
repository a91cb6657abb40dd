import type { GuardedRoute } from '../../contract/route.ts';
import { membersContract } from '../../contract/members.ts';
import { missLimit } from '../../members/http/lookup-misses.ts';
import { scaledLimit } from '../../members/http/rate-limiter.ts';
import { badKeyLimit } from '../../members/http/serve.ts';
import { eventWeeks } from '../../members/event-weeks.ts';
import { instantText } from '../../members/instant.ts';
import { funnel } from '../../members/funnel.ts';
import { keyStatus, keyNotFound } from '../../members/keys.ts';
import { hasSso } from '../../members/sso-platform.ts';
import { memberLimits } from '../../members/limits.ts';
import { overview } from '../../members/overview.ts';
import { dayText, seoulDay } from '../../members/seoul-day.ts';
import { crossPlatform, northStar } from '../../members/statistics.ts';
import { verifyAudit } from '../../members/verify-audit.ts';
import type { ApiKey } from '../../members/store/entities.ts';
import { rowNumber, type AdminHandlers } from './call.ts';
import { storageState } from './storage-state.ts';

/** Handlers that read everything but members. */
export const serviceReads = {
  async overview({ context }) {
    return overview(context);
  },

  async eventWeeks({ context, parameters }) {
    return { items: await eventWeeks(context, parameters) };
  },

  async crossPlatform({ context }) {
    return crossPlatform(context, 'operator');
  },

  async northStar({ context }) {
    return northStar(context, 'operator');
  },

  async funnel({ context, parameters }) {
    return funnel(context, parameters);
  },

  async platforms({ context }) {
    const all = await context.platforms.all();
    return { items: all.map((one) => ({ ...one, cookieDomain: hasSso(context, one) })) };
  },

  async keys({ context, parameters: { after } }) {
    const { keys } = context.store.read;
    const last = after === undefined ? null : await keys.byId(after);
    if (after !== undefined && last === null) throw keyNotFound();
    const page = await keys.list(last, memberLimits.pageMax);
    const codes = new Map((await context.platforms.all()).map(({ id, code }) => [id, code]));
    return {
      items: page.map((key) => keySummary(key, codes, context.now())),
      next_cursor: page.length === memberLimits.pageMax ? page.at(-1)!.kid : null,
    };
  },

  async audit({ context, parameters: { after } }) {
    const rows = await context.store.read.audit.after(rowNumber(after, 0), memberLimits.pageMax);
    const items = rows.map(({ at, detail, ...row }) => ({
      ...row,
      at: iso(at),
      detail: JSON.parse(detail) as Readonly<Record<string, unknown>>,
    }));
    const isFull = rows.length === memberLimits.pageMax;
    return { items, next_cursor: isFull ? String(rows.at(-1)!.seq) : null };
  },

  async verifyAudit({ context, parameters }) {
    return verifyAudit(context, { from: parameters.from === 'start' ? 'start' : 'seal' });
  },

  async assurance({ context }) {
    const since = seoulDay(context.now()) - assuranceDays + 1;
    const days = await context.store.read.assurance.since(since, assuranceRows);
    const codes = new Map((await context.platforms.all()).map(({ id, code }) => [id, code]));
    return {
      items: days.map(({ day, platformId, upgrades, sessionsEnded }) => ({
        day: dayText(day),
        platform: codes.get(platformId) ?? String(platformId),
        upgrades,
        sessions_ended: sessionsEnded,
      })),
    };
  },

  async webhooks({ context, parameters }) {
    const { webhooks } = context.store.read;
    const before = rowNumber(parameters.before, Number.MAX_SAFE_INTEGER);
    const messages = await webhooks.list(before, pageMessages);
    const endpoints = await webhooks.endpoints();
    const codes = new Map((await context.platforms.all()).map(({ id, code }) => [id, code]));
    return {
      endpoints: endpoints.map(({ id, platformId, url, types, disabled, createdAt }) => ({
        id,
        platform: platformId === null ? null : codes.get(platformId)!,
        url,
        types,
        disabled,
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
      next_cursor: messages.length < pageMessages ? null : String(messages.at(-1)!.id),
    };
  },

  async limits({ rateScale }) {
    const rows = Object.values<GuardedRoute>(membersContract).map(({ limit }) => limit);
    const limits = new Map([...rows, badKeyLimit, missLimit].map((limit) => [limit.name, limit]));
    return {
      // The same names and numbers as in the RateLimit headers.
      items: Array.from(limits.values(), (limit) => ({
        name: limit.name,
        calls: rateScale === 0 ? null : scaledLimit(limit, rateScale).calls,
        window_s: limit.windowS,
      })),
    };
  },

  async suspectedSessions({ suspectedSessions }) {
    return {
      items: suspectedSessions().map(({ sessionId, svcUid, by, seenAt }) => ({
        session_id: sessionId,
        svc_uid: svcUid,
        by,
        seen_at: iso(seenAt),
      })),
    };
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
} as const satisfies Partial<AdminHandlers>;

function keySummary(key: ApiKey, codes: ReadonlyMap<number, string>, now: number) {
  return {
    kid: key.kid,
    // An operator's key acts for every platform.
    operator_key: key.platformId === null,
    platform: key.platformId === null ? null : (codes.get(key.platformId) ?? null),
    label: key.label,
    status: keyStatus(key, now),
    scopes: key.scopes,
    created_at: iso(key.createdAt),
    expires_at: iso(key.expiresAt),
    revoked_at: iso(key.revokedAt),
    leaked_at: iso(key.leakedAt),
    last_used: key.lastUsedDay === null ? null : dayText(key.lastUsedDay),
    seen_in_browser: key.browserSeenDay === null ? null : dayText(key.browserSeenDay),
  };
}

function iso(ms: number): string;
function iso(ms: number | null): string | null;
function iso(ms: number | null): string | null {
  return ms === null ? null : instantText(ms);
}

const pageMessages = 100;
const assuranceDays = 30;
const assuranceRows = assuranceDays * memberLimits.platformsMax;
