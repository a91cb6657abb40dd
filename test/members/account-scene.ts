import assert from 'node:assert/strict';
import type { ExpectedAnswer, Link, Registration, Session } from './account-entities.ts';
import { AccountModel, platforms } from './account-model.ts';
import type { AccountService, ServiceAnswer } from './account-service.ts';

/** Numbers that choose an operation and its arguments. */
export type Call = readonly number[];

/** Counts of the cases that sequences reached. */
export type Facts = ReturnType<typeof noFacts>;

export function noFacts() {
  return {
    calls: 0,
    offers: 0,
    moved: 0,
    closed: 0,
    left: 0,
    gaveUp: 0,
    cameBack: 0,
    late: 0,
    exchanged: 0,
    former: 0,
    ambiguous: 0,
    refused: 0,
  };
}

/** One sequence: calls the service and the model, and compares them. */
export class Scene {
  readonly facts = noFacts();
  readonly model = new AccountModel();
  readonly #actions: Actions;
  /** Address that a platform linked a local id with last, by its answers alone. */
  readonly #statements = new Map<string, string>();
  /** Members that had a verified address, by the answers alone. */
  readonly #owned = new Set<string>();
  readonly #uids: string[] = ['svc_aaaaaaaaaaaaaaaaaaaaaaaaaa'];
  readonly #merges: number[] = [];
  #grants = 0;

  constructor(actions: Actions) {
    this.#actions = actions;
  }

  async step([kind = 0, ...picks]: Call): Promise<void> {
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = picks;
    const platform = platforms[a % 3]!;
    const address = this.#actions.addresses[b % 3]!;
    const id = this.#actions.ids[c % 3]!;
    const uid = this.#uids.at(-1 - (b % Math.min(4, this.#uids.length)))!;
    const verified = [null, null, null, true, false][d % 5]!;
    const attempts = [0, f % (this.model.lists.round + 1), null, null, null];
    const registration = { platform, address, verified, attempt: attempts[e % 5]! };
    const session = this.model.lists.sessions.at(-1 - (b % 4));
    this.facts.calls++;
    switch (kind % 19) {
      case 0:
      case 1:
      case 2:
      case 3:
        await this.#register([{ ...registration, id: c % 5 === 1 ? null : id }]);
        break;
      case 4: {
        const other = this.#actions.addresses[d % 3]!;
        const next = this.#actions.ids[(c + 1 + (e % 2)) % 3]!;
        const more = [
          { ...registration, address: other, id },
          { ...registration, id: this.#actions.ids[e % 3]! },
          { ...registration, address: other, id: next },
        ][f % 3]!;
        await this.#register([{ ...registration, id }, more]);
        break;
      }
      case 17: {
        const users = this.model.lists.links.filter((one) => one.platform === platform && one.id);
        const [one, two] = [users[b % users.length], users[c % users.length]];
        if (one === undefined || one.home.address === null || two!.home.address === null) break;
        const user = { platform, verified, attempt: null };
        await this.#register([
          { ...user, id: one.id, address: two!.home.address },
          { ...user, id: two!.id, address: one.home.address },
        ]);
        break;
      }
      case 5:
      case 6:
        await this.#issue(platform, id, e % 3 === 0 ? { uid } : { address });
        break;
      case 7:
        await this.#change(uid, platform, picks);
        break;
      case 8: {
        const expectedId = [undefined, undefined, id, null][d % 4];
        const answer = await this.#actions.end(uid, platform, expectedId);
        this.#compare(answer, this.model.end(uid, platform, expectedId));
        break;
      }
      case 9: {
        const answer = await this.#actions.leave(platform, id);
        this.#compare(answer, this.model.leave(platform, id));
        break;
      }
      case 10:
        if (d % 3 > 0) {
          const answer = await this.#actions.endAll(uid, platform);
          this.#compare(answer, this.model.endAll(uid, platform));
        } else this.#compare(await this.#actions.erase(uid), this.model.erase(uid));
        break;
      case 11: {
        const into = this.#uids[d % this.#uids.length]!;
        const answer = await this.#actions.merge(uid, into);
        this.#compare(
          answer,
          this.model.merge(uid, into, () => answer.mergeId!),
        );
        if (answer.mergeId !== undefined) this.#merges.push(answer.mergeId);
        break;
      }
      case 12: {
        if (this.#merges.length === 0) break;
        const merge = this.#merges[d % this.#merges.length]!;
        this.#compare(await this.#actions.split(merge), this.model.split(merge));
        // Members that the split made again may never have had an owner.
        this.#owned.clear();
        break;
      }
      case 13: {
        const isSuspended = d % 3 === 0;
        const answer = await this.#actions.setSuspended(uid, isSuspended);
        this.#compare(answer, this.model.setSuspended(uid, isSuspended));
        break;
      }
      case 14: {
        const scope = d % 2 === 0 ? 'all' : 'platform';
        const answer = await this.#actions.revoke(uid, platform, scope);
        this.#compare(answer, this.model.revoke(uid, platform, scope));
        await this.#grantUnder(uid, platform);
        await this.#grantUnder(uid, platform, id);
        await this.#shareUid(registration, id, b);
        const former = this.model.lists.formerLinks.at(-1 - (c % 3));
        if (!former?.home.uid) break;
        await this.#grantUnder(former.home.uid, former.link.platform);
        await this.#grantUnder(former.home.uid, former.link.platform, former.link.id);
        break;
      }
      case 15: {
        const user = { platform: platforms[a % 2]!, id, verified: null, attempt: null };
        const next = this.#actions.addresses[(b + 1) % 3]!;
        await this.#register([{ ...user, address }]);
        await this.#register([{ ...user, address, platform: platforms[(a + 1) % 2]! }]);
        await this.#register([{ ...user, address: next }]);
        if (d % 2 === 0) await this.#register([{ ...user, address }]);
        break;
      }
      case 18: {
        // The next owner of an address, and a call from before that another platform sends late.
        const user = { platform: platforms[a % 2]!, verified: null, attempt: null };
        const other = {
          ...user,
          platform: platforms[(a + 1) % 2]!,
          attempt: this.model.lists.round,
        };
        await this.#register([{ ...user, address, id }]);
        await this.#register([{ ...user, address: this.#actions.addresses[(b + 1) % 3]!, id }]);
        const next = this.#actions.ids[(c + 1) % 3]!;
        if (d % 2 === 0) await this.#register([{ ...user, address, id: next }]);
        await this.#register([{ ...other, address, id, verified }]);
        break;
      }
      default:
        if (session === undefined) break;
        await this.#verify(session);
        if (d % 2 === 0) {
          const scope = e % 2 === 0 ? 'all' : 'one';
          this.model.logOut(session, scope, await this.#actions.logOut(session.token, scope));
        }
    }
  }

  /** Lets a stranger with each address join another platform and sign in, and checks what they are offered. */
  async probe(): Promise<void> {
    await this.#compareEntitlements();
    for (const session of this.model.lists.sessions) await this.#verify(session);
    for (const { platform, id, home } of this.model.lists.links) {
      const { address } = home;
      if (platform === 'forum' && id !== null && address !== null)
        await this.#issue(platform, id, { address });
    }
    for (const address of this.#actions.addresses) {
      const id = `probe of ${address}`;
      const person = { platform: 'cards', address, id, verified: null, attempt: null };
      await this.#register([person]);
      await this.#issue('cards', id, { address });
      const session = this.model.lists.sessions.at(-1);
      if (session?.platform === 'cards') await this.#verify(session);
    }
    const { leftBehind: left, gaveUp, cameBack, late } = this.model.moves;
    const { exchanged } = this.model.registrations;
    Object.assign(this.facts, { left, gaveUp, cameBack, late, exchanged });
  }

  async #register(registrations: readonly Registration[]): Promise<void> {
    this.model.lists.round++;
    const answers = await this.#actions.register(registrations);
    const uids = answers.map(({ uid }) => uid);
    const expected = this.model.registrations.registerAll(registrations, uids);
    for (const [at, registration] of registrations.entries()) {
      const answer = answers[at]!;
      this.#compare(answer, expected[at]!);
      if (answer.uid === undefined) continue;
      this.#uids.push(answer.uid);
      if (answer.isVerified === true) this.#owned.add(answer.uid);
      const isKept = answer.warnings!.some((code) => !linkedCodes.has(code));
      if (!isKept && registration.id !== null) this.#noteStatement(registration);
      if (answer.warnings!.includes('link_moved')) this.facts.moved++;
    }
    for (const registration of registrations) await this.#grant(registration);
  }

  /** Registers users so that a platform may know two of them by one uid: the owner of the first one’s address moved on. */
  async #shareUid(
    { platform, address }: Pick<Registration, 'platform' | 'address'>,
    id: string,
    at: number,
  ): Promise<void> {
    const { addresses, ids } = this.#actions;
    const owner = { platform: platform === 'books' ? 'music' : 'books', id, attempt: null };
    const moved = { address: addresses[(at + 1) % 3]!, verified: null };
    const next = ids[(ids.indexOf(id) + 1) % 3]!;
    await this.#register([{ ...owner, address, verified: null }]);
    await this.#register([{ platform, address, id, verified: false, attempt: null }]);
    await this.#register([{ ...owner, ...moved }]);
    await this.#register([{ platform, ...moved, id: next, attempt: null }]);
  }

  /** Lets a platform grant its user a code, once. */
  async #grant({ platform, id }: Registration): Promise<void> {
    const link = this.model.lists.linkWith(platform, id);
    if (link === undefined || link.grantedCodes.size > 0) return;
    const code = `${platform}-${++this.#grants}`;
    const person = this.model.lists.personOf(link.home);
    const { uid } = person.homes[0]!;
    // The uid of a merged member may mean two users.
    const own = this.model.lists.linksOf(person).filter((one) => one.platform === platform);
    if (uid === null || own.length > 1) return;
    this.#compare(await this.#actions.grant(platform, uid, code, id), {});
    link.grantedCodes.add(code);
  }

  /** Lets a platform grant a code under a uid that its user has now, or had before; `id` names the user. */
  async #grantUnder(uid: string, platform: string, id?: string | null): Promise<void> {
    const link = this.model.userOf(uid, platform, id);
    const code = `${platform}-${++this.#grants}`;
    const answer = await this.#actions.grant(platform, uid, code, id);
    if ('code' in link) {
      if (link.code === 'ambiguous_svc_uid') this.facts.ambiguous++;
      return this.#compare(answer, link);
    }
    this.#compare(answer, {});
    const isFormer = this.model.lists.formerLinks.some(
      (one) => one.home.uid === uid && one.link === link,
    );
    if (isFormer) this.facts.former++;
    link.grantedCodes.add(code);
  }

  /** Asserts that each user has what its platform granted, and nothing that another person’s platform did. */
  async #compareEntitlements(): Promise<void> {
    const { links } = this.model.lists;
    for (const { platform, id, home, grantedCodes } of links) {
      if (id === null) continue;
      const codes = await this.#actions.entitlements(platform, id);
      for (const code of grantedCodes)
        assert(codes.includes(code), `${id} of ${platform} lost ${code}`);
      const person = this.model.lists.personOf(home);
      for (const code of codes) {
        const grantee = links.find((link) => link.grantedCodes.has(code));
        // A grantee that left leaves its grant to the member.
        if (grantee === undefined) continue;
        assert(this.model.lists.personOf(grantee.home) === person, `${code} is another person’s`);
      }
    }
  }

  #noteStatement({
    platform,
    id,
    address,
  }: {
    platform: string;
    id: string | null;
    address: string;
  }) {
    this.#statements.set(`${platform} ${id}`, address);
  }

  async #issue(platform: string, id: string, by: { address?: string; uid?: string }) {
    const answer = await this.#actions.issue(platform, id, by);
    const link = this.model.issue(platform, id, by);
    assert.deepEqual(answer.code ?? 'signed in', typeof link === 'string' ? link : 'signed in');
    if (typeof link === 'string') return;
    this.model.noteSession(answer.token!, link);
    // A platform that verifies no address signs no user in as a member that had an owner.
    if (platform === 'forum') assert(!this.#owned.has(answer.uid!), 'signed in as a former owner');
    if (link.home.address !== null)
      this.#noteStatement({ platform, id, address: link.home.address });
  }

  async #change(uid: string, platform: string, picks: readonly number[]): Promise<void> {
    const [, , c = 0, d = 0, e = 0, f = 0] = picks;
    const { ids, addresses } = this.#actions;
    const person = this.model.lists.byUid(uid);
    const links: readonly Link[] = person ? this.model.lists.linksOf(person) : [];
    const current = links.find((link) => link.platform === platform);
    // Right in most cases, so that changes happen.
    const expectedId = f % 4 === 0 ? ids[c % 3]! : (current?.id ?? null);
    const change = {
      isConfirmed: e % 2 === 0,
      ...(d % 3 > 0 && { id: ids[c % 3]! }),
      ...(d % 3 !== 1 && { address: addresses[e % 3]! }),
      ...(d % 3 === 0 && f % 2 === 0
        ? { expectedAddress: current?.home.address ?? addresses[f % 3]! }
        : { expectedId }),
    };
    const answer = await this.#actions.change(uid, platform, change);
    const { code, uid: owner } = this.model.change(uid, platform, change, answer.uid ?? '');
    this.#compare(answer, { ...(code && { code }), ...(owner && { uid: owner }) });
    if (answer.uid === undefined) return;
    this.#uids.push(answer.uid);
    for (const link of this.model.lists.links) {
      const { address } = link.home;
      if (link.platform !== platform || address === null) continue;
      const isChanged =
        change.id === undefined ? address === change.address : link.id === change.id;
      if (isChanged) this.#noteStatement({ platform, id: link.id, address });
    }
  }

  /** Asserts that a session is offered only accounts that were linked with an address of its holder. */
  async #verify(session: Session): Promise<void> {
    for (const platform of platforms) {
      const verdict = await this.#actions.verify(session.token, platform);
      if (session.isOver) assert(!verdict.isActive, `${session.platform} ${platform}: over`);
      if (!verdict.isAllowed || verdict.id === null) continue;
      this.facts.offers++;
      if (platform === session.platform) assert.equal(verdict.id, session.link.id);
      const addresses = session.person.homes.map(({ address }) => address);
      const stated = this.#statements.get(`${platform} ${verdict.id}`);
      assert(addresses.includes(stated!), `${verdict.id} of ${platform} is ${stated}'s`);
      const link = this.model.lists.linkWith(platform, verdict.id);
      assert(link && this.model.lists.personOf(link.home) === session.person, 'offered to another');
      // A merged member may have several.
      if (session.person.homes.length > 1) continue;
      assert.equal(link.owner, session.link.owner, 'offered to the next owner of the address');
    }
  }

  #compare(answer: ServiceAnswer, expected: ExpectedAnswer): void {
    if (expected.code !== undefined) this.facts.refused++;
    if (expected.erased === true) this.facts.closed++;
    const compared = Object.keys(expected) as (keyof ExpectedAnswer)[];
    const actual = Object.fromEntries(
      [...compared, 'code'].map((name) => [name, answer[name as 'code']]),
    );
    assert.deepEqual(actual, { code: undefined, ...expected });
  }
}

type Actions = ReturnType<AccountService['scene']>;

/** Warnings of registrations that link the id with the address. */
const linkedCodes: ReadonlySet<string> = new Set(['link_moved', 'address_handed_over']);
