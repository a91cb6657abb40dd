import { Problem } from '../../src/kernel/problem.ts';
import { restoreMember, suspendMember } from '../../src/members/account-status.ts';
import { changeMembership } from '../../src/members/change-membership.ts';
import { grantEntitlement } from '../../src/members/entitlements.ts';
import { eraseMember } from '../../src/members/erase.ts';
import type { KeyCaller } from '../../src/members/keys.ts';
import { endMembership, eraseForPlatform, leave } from '../../src/members/leave.ts';
import { lookUpMember } from '../../src/members/lookup.ts';
import { mergeMembers, splitMembers } from '../../src/members/merge.ts';
import { registerBatch } from '../../src/members/register-batch.ts';
import { logOut } from '../../src/members/session.ts';
import { issueSso, revokeSso, verifySso } from '../../src/members/sso.ts';
import type { Change, Registration } from './account-entities.ts';
import { operator, type MembersRig } from './rig.ts';

/** Answer of the service in the words of the model; a refusal has only its code. */
export interface ServiceAnswer {
  readonly code?: string;
  readonly uid?: string;
  readonly created?: boolean;
  readonly erased?: boolean;
  readonly warnings?: readonly string[];
  readonly mergeId?: number;
  readonly token?: string;
  /** True if the platform's link is verified. */
  readonly isVerified?: boolean;
}

/** Calls of the members service for many scenes, each with addresses and local ids of its own. */
export class AccountService {
  readonly #rig: MembersRig;
  readonly #callers: ReadonlyMap<string, KeyCaller>;
  #scenes = 0;

  private constructor(rig: MembersRig, callers: ReadonlyMap<string, KeyCaller>) {
    this.#rig = rig;
    this.#callers = callers;
  }

  static async open(rig: MembersRig): Promise<AccountService> {
    const callers = new Map<string, KeyCaller>();
    for (const code of ['books', 'music', 'forum', 'cards']) {
      callers.set(code, await rig.caller(code));
    }
    return new AccountService(rig, callers);
  }

  scene() {
    const scene = ++this.#scenes;
    const { context, clock } = this.#rig;
    /** Times of the start and of each round of registrations. */
    const rounds = [clock.now++];
    /** Longer than the time in which the service does not record that an address repeats. */
    const roundMs = 61_000;
    const callerOf = (code: string) => this.#callers.get(code)!;
    const platformOf = (code: string) => callerOf(code).platform!;
    const addressOf = (name: string) => `${name}.${scene}@example.com`;
    const attempt = async (work: () => Promise<ServiceAnswer>): Promise<ServiceAnswer> => {
      clock.now++;
      try {
        return await work();
      } catch (error) {
        if (error instanceof Problem) return { code: error.code };
        throw error;
      }
    };
    return {
      addresses: ['kim', 'lee', 'park'].map(addressOf),
      ids: ['1', '2', '3'].map((id) => `${id} of ${scene}`),
      register: async (
        registrations: readonly Registration[],
      ): Promise<readonly ServiceAnswer[]> => {
        rounds.push((clock.now += roundMs));
        const bodies = registrations.map(({ platform, address, id, verified, attempt: first }) => ({
          platform,
          email: address,
          ...(id !== null && { local_user_id: id }),
          ...(verified !== null && { email_verified: verified }),
          ...(first !== null && { requested_at: new Date(rounds[first]!).toISOString() }),
        }));
        const answers = await registerBatch(context, callerOf(registrations[0]!.platform), bodies);
        return answers.map((answer) => {
          if (answer instanceof Problem) return { code: answer.code };
          const codes = answer.warnings.map(({ code }) => code);
          const warnings = codes.filter((code) => code !== 'local_user_id_missing');
          const isVerified = answer.email_assurance === 'verified';
          return { uid: answer.svc_uid, created: answer.created, warnings, isVerified };
        });
      },
      change: (uid: string, platform: string, change: Change) =>
        attempt(async () => {
          const body = {
            ...(change.id !== undefined && { local_user_id: change.id }),
            ...(change.expectedId !== undefined && { expected_local_user_id: change.expectedId }),
            ...(change.address !== undefined && { email: change.address }),
            ...(change.isConfirmed === true && { email_verified: true }),
            ...(change.expectedAddress !== undefined && {
              expected_email: change.expectedAddress,
            }),
          };
          const answer = await changeMembership(context, platformOf(platform), uid, body, operator);
          return { uid: answer.svc_uid };
        }),
      end: (uid: string, platform: string, expectedId?: string | null) =>
        attempt(async () => {
          const body = expectedId === undefined ? {} : { expected_local_user_id: expectedId };
          return endMembership(context, platformOf(platform), uid, body, operator);
        }),
      endAll: (uid: string, platform: string) =>
        attempt(() => eraseForPlatform(context, platformOf(platform), uid, {}, operator)),
      leave: (platform: string, id: string) =>
        attempt(() => leave(context, platformOf(platform), { local_user_id: id }, operator)),
      erase: (uid: string) =>
        attempt(async () => ({ uid: (await eraseMember(context, uid, operator)).svc_uid })),
      merge: (from: string, into: string) =>
        attempt(async () => {
          const plan = await mergeMembers(
            context,
            { from, into, dryRun: false, isSamePerson: true },
            operator,
          );
          return { uid: plan.into, mergeId: plan.merge_id! };
        }),
      split: (mergeId: number) =>
        attempt(async () => ({
          uid: (await splitMembers(context, { mergeId, dryRun: false }, operator)).from,
        })),
      setSuspended: (uid: string, isSuspended: boolean) =>
        attempt(async () => {
          await (isSuspended ? suspendMember : restoreMember)(context, uid, operator);
          return {};
        }),
      issue: (platform: string, id: string, by: { address?: string; uid?: string }) =>
        attempt(async () => {
          const { token, svcUid } = await issueSso(context, callerOf(platform), {
            platform,
            local_user_id: id,
            ...(by.address !== undefined && { email: by.address }),
            ...(by.uid !== undefined && { svc_uid: by.uid }),
          });
          return { token, uid: svcUid };
        }),
      revoke: (uid: string, platform: string, scope: 'platform' | 'all') =>
        attempt(async () => {
          const body = { svc_uid: uid, scope };
          await revokeSso(context, callerOf(platform), platformOf(platform), body);
          return {};
        }),
      logOut: (token: string, scope: 'one' | 'all') => logOut(context, [token], scope),
      grant: (platform: string, uid: string, code: string, id?: string | null) =>
        attempt(async () => {
          const granter = platformOf(platform);
          const period = id === undefined ? {} : { expected_local_user_id: id };
          await context.store.write((tx) =>
            grantEntitlement(context, tx, granter, uid, code, period),
          );
          return {};
        }),
      entitlements: async (platform: string, id: string) =>
        (await lookUpMember(context, platformOf(platform), { local_user_id: id })).entitlements,
      verify: async (token: string, platform: string) => {
        const verdict = await verifySso(context, platformOf(platform), token);
        return {
          isActive: verdict.active,
          isAllowed: verdict.sign_in_allowed,
          id: verdict.membership?.local_user_id ?? null,
        };
      },
    };
  }
}
