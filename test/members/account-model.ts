import { AccountDepartures } from './account-departures.ts';
import type { Change, ExpectedAnswer, Link, Session } from './account-entities.ts';
import { AccountLists, isOf, isTrusted, uidOf } from './account-lists.ts';
import { AccountMoves } from './account-moves.ts';
import { AccountRegistrations } from './account-registrations.ts';

/**
 * Naive model of accounts, with the rules as the contract words them. Of sessions it knows only some ends: those that it
 * has ended must be over, all others may be.
 */
export class AccountModel {
  readonly lists = new AccountLists();
  readonly #departures = new AccountDepartures(this.lists);
  readonly moves = new AccountMoves(this.lists, this.#departures);
  readonly registrations = new AccountRegistrations(this.lists, this.#departures, this.moves);

  change(uid: string, platform: string, change: Change, newUid: string): ExpectedAnswer {
    const { lists } = this;
    const person = lists.byUid(uid);
    const found = person && lists.expectedLink(person, uid, platform, change.expectedId);
    if (!person || found === undefined) return { code: 'member_not_found' };
    if (found === null) return { code: 'version_conflict' };
    const { id, address, expectedAddress } = change;
    if (expectedAddress !== undefined && found.home.address !== expectedAddress) {
      return { code: 'version_conflict' };
    }
    const holder = id === undefined ? undefined : lists.linkWith(platform, id);
    if (holder && holder !== found) return { code: 'local_user_id_taken' };
    const taken = address === undefined ? undefined : lists.linkAt(platform, address);
    const isOwn = taken === found;
    if (taken && !isOwn) return { code: 'email_taken' };
    if (id !== undefined) found.id = id;
    const isRegained =
      isOwn && found.home.gaveUp && change.isConfirmed === true && isTrusted(platform);
    const owner = isRegained ? lists.homeOf(address!) : undefined;
    if (owner && lists.links.some((one) => one.platform === platform && one.home === owner)) {
      return { code: 'email_taken' };
    }
    if (isRegained && !owner) {
      found.home.gaveUp = false;
      found.owner = lists.owners.of(address!);
    }
    if (isOwn && !owner) found.addressedAt = lists.round;
    if (address === undefined || (isOwn && !owner)) return { uid: uidOf(person) };
    const target = { address, addressedAt: lists.round };
    return { ...this.moves.move(found, target, isTrusted(platform), newUid), warnings: [] };
  }

  end(uid: string, platform: string, expectedId?: string | null): ExpectedAnswer {
    const link = this.userOf(uid, platform, expectedId);
    return 'code' in link ? link : { erased: this.moves.leave(link) };
  }

  endAll(uid: string, platform: string): ExpectedAnswer {
    const link = this.userOf(uid, platform);
    if ('code' in link) return link;
    const person = this.lists.byUid(uid);
    const all = person ? this.lists.linksOf(person) : [];
    const links = all.filter((one) => one.platform === platform);
    return { erased: this.moves.leave(...(links.length > 0 ? links : [link])) };
  }

  /** Ends the link of a local id. The departure of an id without a link is noted, too. */
  leave(platform: string, id: string): ExpectedAnswer {
    const link = this.lists.linkWith(platform, id);
    if (link) return { erased: this.moves.leave(link) };
    this.#departures.noteId(platform, id);
    return { code: 'member_not_found' };
  }

  erase(uid: string): ExpectedAnswer {
    const person = this.lists.byUid(uid);
    if (!person) return { code: 'member_not_found' };
    this.#departures.noteAddresses(person);
    for (const link of this.lists.linksOf(person)) {
      if (!this.lists.holds(link)) continue;
      this.#departures.noteRelease(link, link.home.address!, this.lists.round);
    }
    this.moves.remove(person);
    return { uid: uidOf(person) };
  }

  merge(from: string, into: string, id: () => number | null): ExpectedAnswer {
    const { people, merges } = this.lists;
    const [a, b] = [this.lists.byUid(from), this.lists.byUid(into)];
    if (!a || !b) return { code: 'member_not_found' };
    if (a === b || a.isSuspended !== b.isSuspended) return { code: 'merge_impossible' };
    this.lists.endSessions((session) => isOf(a, session));
    const homes = [...a.homes];
    b.homes.push(...homes);
    people.splice(people.indexOf(a), 1);
    merges.push({ id: id()!, from: a, into: b, homes, isUndone: false });
    return { uid: uidOf(b) };
  }

  split(id: number): ExpectedAnswer {
    const { people, merges } = this.lists;
    const merge = merges.find((one) => one.id === id)!;
    const { from, into, homes } = merge;
    const latest = merges.findLast((one) => one.into === into && !one.isUndone);
    const isAlive = people.includes(into);
    if (merge.isUndone || !isAlive || latest !== merge) return { code: 'merge_impossible' };
    merge.isUndone = true;
    into.homes = into.homes.filter((home) => !homes.includes(home));
    from.homes = homes;
    people.push(from);
    this.lists.endSessions((session) => isOf(into, session));
    for (const half of [from, into]) {
      if (this.lists.linksOf(half).length === 0) this.moves.remove(half);
    }
    return { uid: uidOf(from) };
  }

  setSuspended(uid: string, isSuspended: boolean): ExpectedAnswer {
    const person = this.lists.byUid(uid);
    if (!person) return { code: 'member_not_found' };
    person.isSuspended = isSuspended;
    if (isSuspended) this.lists.endSessions((session) => isOf(person, session));
    return {};
  }

  /** The link that a login signs in through, bound to the local id; else the code of the refusal. */
  issue(platform: string, id: string, by: { address?: string; uid?: string }): Link | string {
    const { lists } = this;
    const home =
      by.address === undefined
        ? undefined
        : (lists.linkAt(platform, by.address)?.home ?? lists.homeOf(by.address));
    const person = by.uid === undefined ? home && lists.personOf(home) : lists.byUid(by.uid);
    if (!person) return 'member_not_found';
    const own = lists
      .linksOf(person)
      .filter((one) => one.platform === platform && (by.uid !== undefined || one.home === home));
    const link = own.find((one) => one.id === id) ?? own.find((one) => one.id === null);
    const isBound = link?.id === id;
    const isOwnersHome = by.uid !== undefined || home?.gaveUp === false;
    const canBind = isOwnersHome && link?.verified === true && !lists.linkWith(platform, id);
    if (!link || (!isBound && !canBind)) return 'member_not_found';
    if (person.isSuspended) return 'member_suspended';
    const isShared = lists.linksOf(person).some((one) => one.platform !== platform);
    if (!link.verified && isShared) return 'email_unverified';
    link.id = id;
    return link;
  }

  noteSession(token: string, link: Link): void {
    const person = this.lists.personOf(link.home);
    const { platform, verified } = link;
    this.lists.sessions.push({ token, link, person, platform, verified, isOver: false });
  }

  /** The link of the user that a call is about, or its refusal: a uid can mean two users. */
  userOf(uid: string, platform: string, id?: string | null): Link | { readonly code: string } {
    const meant = this.lists.meantLinks(uid, platform);
    if (meant.length === 0) return this.#absence(uid, platform);
    if ((id ?? null) === null && meant.length > 1) return { code: 'ambiguous_svc_uid' };
    return this.lists.meantLinks(uid, platform, id)[0] ?? { code: 'version_conflict' };
  }

  #absence(uid: string, platform: string): { readonly code: string } {
    return { code: this.#departures.absence(uid, platform) };
  }

  revoke(uid: string, platform: string, scope: 'platform' | 'all'): ExpectedAnswer {
    const links = this.lists.meantLinks(uid, platform);
    if (links.length === 0) return this.#absence(uid, platform);
    if (scope === 'all' && !links.some(({ verified }) => verified)) {
      return { code: 'email_unverified' };
    }
    for (const { home, verified } of links) {
      const person = this.lists.personOf(home);
      const isAll = scope === 'all' && verified;
      this.lists.endSessions(
        (session) => isOf(person, session) && (isAll || session.platform === platform),
      );
    }
    return {};
  }

  logOut(session: Session, scope: 'one' | 'all', wasLive: boolean): void {
    session.isOver = true;
    if (scope === 'all' && wasLive) {
      this.lists.endSessions((one) => isOf(session.person, one));
    }
  }
}

export const platforms = ['books', 'music', 'forum'] as const;
