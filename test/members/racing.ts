import { PlatformDirectory } from '../../src/members/platform-directory.ts';
import { Problem } from '../../src/kernel/problem.ts';
import { scopes } from '../../src/contract/enumerations.ts';
import { reportEntitlements } from '../../src/members/entitlement-reports.ts';
import { issueKey, revokeKey } from '../../src/members/keys.ts';
import { PostgresMemberStore } from '../../src/members/postgres/store.ts';
import { register } from '../../src/members/register.ts';
import { takeRetention } from '../../src/members/retention.ts';
import { issueSso } from '../../src/members/sso.ts';
import { deliverDue } from '../../src/members/webhook-delivery.ts';
import { patient } from '../postgres/database.ts';
import { operator } from './rig.ts';

// A process that runs calls on a database for its parent, many at once, and answers how each ended.
const store = await PostgresMemberStore.open(process.argv[2]!, patient);
const platforms = new PlatformDirectory(store);
const context = { store, platforms, now: Date.now, secret: Buffer.alloc(32, 7) };

/** A call of a race, or a round of the work that is due. */
export type RaceCall =
  | { readonly kind: 'register' | 'issue'; readonly platform: string; readonly user: string }
  | { readonly kind: 'key'; readonly platform: string }
  | { readonly kind: 'revoke'; readonly kid: string }
  | { readonly kind: 'deliver' | 'report' | 'retain' };

/** The end of a call: what it returned, or the code of its refusal. */
export type RaceEnd = { readonly value: unknown } | { readonly code: string };

process.on('message', (calls: readonly RaceCall[]) => {
  void Promise.all(calls.map(endOf)).then((ends) => process.send!(ends));
});
process.once('disconnect', () => process.exit());
process.send!('ready');

async function endOf(call: RaceCall): Promise<RaceEnd> {
  try {
    return { value: await run(call) };
  } catch (error) {
    return { code: error instanceof Problem ? error.code : String(error) };
  }
}

async function run(call: RaceCall): Promise<unknown> {
  switch (call.kind) {
    case 'register': {
      const { platform, user } = call;
      const body = { email: `${user}@example.com`, platform, local_user_id: `${user} ${platform}` };
      const { svc_uid, created } = await register(context, await callerOf(platform), body);
      return { uid: svc_uid, created };
    }
    case 'issue': {
      const { platform, user } = call;
      const body = { email: `${user}@example.com`, platform, local_user_id: `${user} ${platform}` };
      return (await issueSso(context, await callerOf(platform), body)).token;
    }
    case 'key':
      return (await issueKey(context, { platform: call.platform, scopes }, operator)).key.kid;
    case 'revoke':
      return revokeKey(context, call.kid, operator);
    case 'deliver': {
      const sent: string[] = [];
      await deliverDue(context, (_url, headers) => {
        sent.push(headers['webhook-id'] ?? '');
        return Promise.resolve(200);
      });
      return sent;
    }
    case 'report':
      return reportEntitlements(context);
    default:
      return takeRetention(context);
  }
}

async function callerOf(code: string) {
  return { kid: 'race', platform: await platforms.byCode(code), scopes };
}
