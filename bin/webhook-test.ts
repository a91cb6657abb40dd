import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { webhookTypes } from '../src/contract/enumerations.ts';
import { signedHeaders } from '../src/members/webhooks.ts';
import { markFailed } from './run-command.ts';
import { print } from './terminal.ts';

type WebhookType = (typeof webhookTypes)[number];

interface TestOptions extends SampleUser {
  readonly type: WebhookType;
  readonly secretFile: string;
}

/** The user in a sample message. */
interface SampleUser {
  readonly localUserId: string;
  readonly svcUid: string;
  readonly platform: string;
}

/**
 * Sends a signed message with sample data to an address, also one of this machine, and prints it with the response. It
 * needs no endpoint and no service: a receiver can be tried before either exists.
 */
export async function testWebhook(
  url: string,
  { type, secretFile, ...user }: TestOptions,
): Promise<void> {
  const secret = readFileSync(secretFile, 'utf8').trim();
  if (!/^whsec_[\w+/=-]{24,}$/.test(secret)) {
    throw new Error(
      `${secretFile} has no signing secret: write whsec_ and 32 bytes in base64 to it.`,
    );
  }
  const timestamp = new Date().toISOString();
  const body = JSON.stringify({ type, timestamp, data: samplesOf(user)[type] });
  const id = `msg_test_${randomBytes(8).toString('hex')}`;
  const signature = signedHeaders(secret, id, Math.floor(Date.now() / 1_000), body);
  const headers = { 'content-type': 'application/json', ...signature };
  for (const [name, value] of Object.entries(headers)) print(`${name}: ${value}`);
  print(`\n${body}\n`);
  const signal = AbortSignal.timeout(timeoutMs);
  const init = { method: 'POST', headers, body, signal, redirect: 'manual' } as const;
  const response = await fetch(url, init).catch((error: unknown) => {
    throw new Error(`${url} did not answer: start your server first.`, { cause: error });
  });
  await response.arrayBuffer();
  print(`${url} answers ${response.status}${response.ok ? '' : ': a delivery would be retried'}`);
  if (!response.ok) markFailed();
}

const timeoutMs = 15_000;

function samplesOf({
  localUserId,
  svcUid,
  platform,
}: SampleUser): Readonly<Record<WebhookType, object>> {
  const member = { svc_uid: svcUid };
  const link = { ...member, platform };
  return {
    'member.created': link,
    'member.linked': link,
    'membership.moved': {
      ...link,
      previous_svc_uid: 'svc_bbbbbbbbbbbbbbbbbbbbbbbbbb',
      local_user_id: localUserId,
    },
    'tier.changed': { ...member, tier: 'GOLD' },
    'entitlement.changed': { ...member, code: 'archive', entitlements: ['archive'] },
    'consent.reminder_due': {
      ...link,
      purpose: 'marketing',
      version: '2026-11',
      given_at: '2026-11-22T00:00:00.000Z',
      due_at: '2028-11-22T00:00:00.000Z',
    },
    'session.revoked': { ...member, scope: 'one', session_id: 'ses_aaaaaaaaaaaaaaaa' },
    'member.erased': member,
  };
}
