import { createHmac, randomBytes } from 'node:crypto';
import { webhookTypes } from '../contract/enumerations.ts';
import type { BilingualText } from '../contract/language.ts';
import { Problem } from '../kernel/problem.ts';
import { audit, type Operator } from './audit.ts';
import type { MemberContext } from './context.ts';
import { newEndpointId, newMessageId } from './identifiers.ts';
import { instantText } from './instant.ts';
import { memberLimits } from './limits.ts';
import { invalid } from './problem.ts';
import type { WebhookEndpoint } from './store/entities.ts';
import type { MemberTransaction } from './store/store.ts';

type WebhookType = (typeof webhookTypes)[number];

/** Puts a message into the outbox of every endpoint for its type, in the transaction of the change it reports. */
export async function queueWebhook(
  context: MemberContext,
  tx: MemberTransaction,
  type: WebhookType,
  data: Readonly<Record<string, unknown>>,
): Promise<void> {
  if (context.isQuiet === true && (type === 'member.created' || type === 'member.linked')) return;
  const endpoints = await tx.webhooks.endpoints();
  const receiving = endpoints.filter(({ disabled, types }) => !disabled && types.includes(type));
  if (receiving.length === 0) return;
  const now = context.now();
  const body = JSON.stringify({ type, timestamp: instantText(now), data });
  for (const { id } of receiving) {
    await tx.webhooks.insert({
      messageId: newMessageId(now),
      endpointId: id,
      type,
      body,
      createdAt: now,
      attempts: 0,
      nextAt: now,
      deliveredAt: null,
      status: null,
    });
  }
}

/** Adds an endpoint; 422 `validation_failed` for an address that cannot be used, and without types. */
export async function addWebhookEndpoint(
  context: MemberContext,
  url: string,
  wanted: readonly WebhookType[],
  operator: Operator,
): Promise<WebhookEndpoint> {
  if (URL.parse(url)?.protocol !== 'https:') throw refusedEndpoint('/url', badUrl);
  const types = [...new Set(wanted)];
  if (types.length === 0) throw refusedEndpoint('/types', badTypes);
  const endpoint: WebhookEndpoint = {
    id: newEndpointId(),
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
    const detail = { host: new URL(url).host, types };
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
    const endpoint = (await tx.webhooks.endpoints()).find((one) => one.id === id);
    if (endpoint === undefined) throw endpointNotFound();
    await tx.webhooks.putEndpoint({ ...endpoint, disabled });
    const action = disabled ? 'webhook_disabled' : 'webhook_enabled';
    await audit(context, tx, operator, { action, subject: id });
  });
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
    ko: `웹훅이 이미 ${count}개 있어 더 추가할 수 없습니다. 있는 웹훅을 다시 사용하세요.`,
    en: `There are ${count} webhook endpoints, which is the maximum. Reuse one of them.`,
  });
}

function endpointNotFound(): Problem {
  return new Problem('not_found', {
    ko: '이 번호의 웹훅이 없습니다. 웹훅 목록에서 번호를 확인하세요.',
    en: 'There is no webhook with this id. Look it up in the list of webhooks.',
  });
}

const badUrl = {
  ko: 'https://로 시작하는 주소를 입력하세요.',
  en: 'Give an https:// address.',
};
const badTypes = {
  ko: `${webhookTypes.join(', ')} 중 하나 이상을 고르세요.`,
  en: `Choose one or more of ${webhookTypes.join(', ')}.`,
};
