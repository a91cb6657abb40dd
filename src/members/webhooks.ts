import { createHmac, randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { webhookTypes } from '../contract/enumerations.ts';
import type { BilingualText } from '../contract/language.ts';
import { Problem } from '../kernel/problem.ts';
import { audit, type Operator } from './audit.ts';
import type { MemberContext } from './context.ts';
import { newEndpointId, newMessageId } from './identifiers.ts';
import { instantText } from './instant.ts';
import { memberLimits } from './limits.ts';
import { unknownPlatform } from './platforms.ts';
import { invalid } from './problem.ts';
import { isPublic } from './public-address.ts';
import type { Member, Membership, Platform, WebhookEndpoint } from './store/entities.ts';
import type { MemberReads, MemberTransaction } from './store/store.ts';

type WebhookType = (typeof webhookTypes)[number];

/**
 * Puts a message into the outbox of every endpoint that wants its type, in the transaction of the change it reports.
 * The operator's endpoints receive `data`, endpoints of `platforms` also the local id of `link`, which takes these
 * messages along when it ends; endpoints of other platforms nothing.
 */
export async function queueWebhook(
  context: MemberContext,
  tx: MemberTransaction,
  type: WebhookType,
  { platforms }: Pick<Member, 'platforms'>,
  data: Readonly<Record<string, unknown>>,
  link: Pick<Membership, 'id' | 'localUserId'> | null = null,
): Promise<void> {
  const endpoints = await enabledEndpoints(tx);
  const receiving = endpoints.filter(
    ({ types, platformId }) =>
      types.includes(type) && (platformId === null || (platforms & (1 << platformId)) !== 0),
  );
  if (receiving.length === 0) return;
  const now = context.now();
  const message = { type, timestamp: instantText(now) };
  for (const { id, platformId } of receiving) {
    const named = platformId === null ? null : link;
    const payload = named === null ? data : { ...data, local_user_id: named.localUserId };
    const queued = {
      messageId: newMessageId(now),
      endpointId: id,
      type,
      body: JSON.stringify({ ...message, data: payload }),
      createdAt: now,
      attempts: 0,
      nextAt: now,
      deliveredAt: null,
      status: null,
    };
    await tx.webhooks.insert(queued, named?.id);
  }
}

/** Endpoints that receive messages: neither they nor their platforms are disabled. */
export async function enabledEndpoints(reads: MemberReads): Promise<readonly WebhookEndpoint[]> {
  const endpoints = (await reads.webhooks.endpoints()).filter(({ disabled }) => !disabled);
  if (endpoints.every(({ platformId }) => platformId === null)) return endpoints;
  const platforms = await reads.platforms.all();
  return endpoints.filter(
    ({ platformId }) => !platforms.some(({ id, disabled }) => id === platformId && disabled),
  );
}

/**
 * Queues the message about a new link, for the operator and the link’s platform: other platforms need not know where
 * members go.
 */
export async function queueLinkWebhook(
  context: MemberContext,
  tx: MemberTransaction,
  type: 'member.created' | 'member.linked',
  { svcUid }: Pick<Member, 'svcUid'>,
  platform: Pick<Platform, 'id' | 'code'>,
): Promise<void> {
  if (context.isQuiet === true) return;
  const receivers = { platforms: 1 << platform.id };
  await queueWebhook(context, tx, type, receivers, { svc_uid: svcUid, platform: platform.code });
}

/**
 * Queues the message about a link that went to another member, for the operator and the link’s platform. Only the
 * platform gets the local id.
 */
export async function queueMoveWebhook(
  context: MemberContext,
  tx: MemberTransaction,
  link: Membership,
  from: Pick<Member, 'svcUid'>,
  to: Pick<Member, 'svcUid'>,
): Promise<void> {
  if (context.isQuiet === true) return;
  const platform = (await tx.platforms.all()).find(({ id }) => id === link.platformId)?.code;
  const payload = { svc_uid: to.svcUid, previous_svc_uid: from.svcUid, platform };
  const receivers = { platforms: 1 << link.platformId };
  await queueWebhook(context, tx, 'membership.moved', receivers, payload, link);
}

/**
 * Adds an endpoint of a platform, or of the operator if the code is null. 422 `validation_failed` for an address that
 * can never be reached or an empty list of types; `unknown_platform`.
 */
export async function addWebhookEndpoint(
  context: MemberContext,
  url: string,
  requestedTypes: readonly WebhookType[],
  operator: Operator,
  platformCode: string | null = null,
): Promise<WebhookEndpoint> {
  const fault = faultOfUrl(url);
  if (fault !== null) throw refusedEndpoint('/url', fault);
  const platform = platformCode === null ? null : await context.platforms.byCode(platformCode);
  if (platformCode !== null && platform === null) throw unknownPlatform();
  const types = [...new Set(requestedTypes)];
  if (types.length === 0) throw refusedEndpoint('/types', noTypes);
  const endpoint: WebhookEndpoint = {
    id: newEndpointId(),
    platformId: platform?.id ?? null,
    url,
    secret: `whsec_${randomBytes(32).toString('base64')}`,
    types,
    disabled: false,
    createdAt: context.now(),
  };
  await context.store.write(async (tx) => {
    const all = await tx.webhooks.endpoints();
    if (all.length >= memberLimits.webhookEndpointsMax) {
      throw tooManyEndpoints(all.length);
    }
    await tx.webhooks.putEndpoint(endpoint);
    const detail = { platform: platformCode, host: new URL(url).host, types };
    const entry = { action: 'webhook_added', subject: endpoint.id, detail };
    await audit(context, tx, operator, entry);
  });
  return endpoint;
}

/** Stops or resumes the messages to an endpoint. */
export async function setWebhookDisabled(
  context: MemberContext,
  id: string,
  disabled: boolean,
  operator: Operator,
): Promise<void> {
  await context.store.write(async (tx) => {
    const endpoint = await requireEndpoint(tx, id);
    await tx.webhooks.putEndpoint({ ...endpoint, disabled });
    const action = disabled ? 'webhook_disabled' : 'webhook_enabled';
    await audit(context, tx, operator, { action, subject: id });
  });
}

/** Removes a disabled endpoint with its messages. It must be disabled, so that no message is on its way into the outbox. */
export async function removeWebhookEndpoint(
  context: MemberContext,
  id: string,
  operator: Operator,
): Promise<void> {
  for (let isRemoved = false; !isRemoved;) {
    isRemoved = await context.store.write(async (tx) => {
      const { disabled, url } = await requireEndpoint(tx, id);
      if (!disabled) throw endpointInUse();
      const count = await tx.webhooks.deleteOf(id, messagesPerRemoval);
      if (count === messagesPerRemoval) return false;
      await tx.webhooks.removeEndpoint(id);
      const detail = { host: new URL(url).host };
      await audit(context, tx, operator, { action: 'webhook_removed', subject: id, detail });
      return true;
    });
  }
}

/** Messages that one transaction removes, so that requests run between transactions. */
const messagesPerRemoval = 500;

async function requireEndpoint(reads: MemberReads, id: string): Promise<WebhookEndpoint> {
  const endpoint = (await reads.webhooks.endpoints()).find((one) => one.id === id);
  if (endpoint === undefined) throw endpointNotFound();
  return endpoint;
}

/** The headers of Standard Webhooks (https://www.standardwebhooks.com): HMAC over `id.timestamp.body`. */
export function signedHeaders(
  secret: string,
  messageId: string,
  atS: number,
  body: string,
): Readonly<Record<string, string>> {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${messageId}.${atS}.${body}`);
  return {
    'webhook-id': messageId,
    'webhook-timestamp': String(atS),
    'webhook-signature': `v1,${signature.digest('base64')}`,
  };
}

function refusedEndpoint(pointer: string, fix: BilingualText): Problem {
  const message = { ko: '웹훅을 추가할 수 없습니다.', en: 'This webhook cannot be added.' };
  return invalid('validation_failed', pointer, message, fix);
}

function tooManyEndpoints(count: number): Problem {
  return new Problem('validation_failed', {
    ko: `웹훅이 이미 ${count}개 있어 더 추가할 수 없습니다. 쓰지 않는 웹훅을 먼저 삭제하세요.`,
    en: `There are ${count} webhook endpoints, which is the maximum. Remove one first.`,
  });
}

function endpointInUse(): Problem {
  return new Problem('validation_failed', {
    ko: '사용 중인 웹훅은 삭제할 수 없습니다. 먼저 중지하세요.',
    en: 'The webhook is enabled and cannot be removed. Disable it first.',
  });
}

function endpointNotFound(): Problem {
  return new Problem('not_found', {
    ko: '이 번호의 웹훅이 없습니다. 웹훅 목록에서 번호를 확인하세요.',
    en: 'There is no webhook with this id. Look it up in the list of webhooks.',
  });
}

/**
 * The fault of an address that no delivery could use. A name that resolves to a private address is refused at delivery.
 */
function faultOfUrl(text: string): BilingualText | null {
  const url = URL.parse(text);
  if (url?.protocol !== 'https:') return urlFaults.scheme;
  if (url.username !== '' || url.password !== '') return urlFaults.credentials;
  if (url.hostname.includes('*')) return urlFaults.wildcard;
  const host = url.hostname.replace(/^\[|\]$|\.$/g, '');
  const isLiteral = isIP(host) !== 0;
  const isLocal = isLiteral ? !isPublic(host) : /(?:^|\.)localhost$/.test(host);
  return isLocal ? urlFaults.local : null;
}

const urlFaults = {
  scheme: {
    ko: 'https://로 시작하는 주소를 입력하세요.',
    en: 'Give an https:// address.',
  },
  credentials: {
    ko: '주소에서 사용자 이름과 비밀번호를 빼세요. 받는 서버는 서명으로 확인합니다.',
    en: 'Leave user name and password out of the address; the receiver verifies the signature.',
  },
  wildcard: {
    ko: '*는 아무 서버도 가리키지 않습니다. 서버마다 주소를 추가하세요.',
    en: 'A * names no server. Add the address of each server.',
  },
  local: {
    ko: '인터넷에서 접속할 수 있는 주소를 입력하세요. 이 컴퓨터나 사설망의 주소로는 보내지 않습니다.',
    en: 'Give an address on the public internet. Nothing is sent to this machine or a private network.',
  },
} as const;

const noTypes = {
  ko: `${webhookTypes.join(', ')} 중 하나 이상을 고르세요.`,
  en: `Choose one or more of ${webhookTypes.join(', ')}.`,
};
