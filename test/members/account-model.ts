import type {
  Change,
  Expected,
  FormerHome,
  Home,
  Link,
  MergeRecord,
  Person,
  Registration,
  Release,
  Session,
} from './account-entities.ts';
import { AddressOwners, ownsAddress } from './address-owners.ts';

/**
 * Naive model of accounts: lists that are searched, with the rules as the contract words them. Of sessions it knows only
 * some ends: those that it has ended must be over, all others may be. A new member that no answer named yet has no uid.
 */
export class AccountModel {
  readonly people: Person[] = [];
  readonly links: Link[] = [];
  readonly sessions: Session[] = [];
  readonly merges: MergeRecord[] = [];
  /** Members made for unverified links whose owner moved away or left. */
  leftBehind = 0;
  /** Addresses that a shared member gave up, and those that it has again. */
  gaveUp = 0;
  cameBack = 0;
  /** Registrations of earlier owners, and users who exchanged addresses in a batch. */
  late = 0;
  exchanged = 0;
  /** Registrations so far; times are numbers of them. */
  round = 0;
  /** Time at which an address or a local id was last given up. */
  readonly #departed = new Map<string, number>();
  /** The next owner has an address after a user with a verified link moved away. */
  readonly #owners = new AddressOwners();
  readonly #releases: Release[] = [];
  readonly #erasedUids = new Map<string, Set<string>>();
  #order = 0;

  /** The user's account after a registration; `uid` is that of the answer, for a member that is new. */
  register(given: Registration, uid: string): Expected {
    const { platform, address, id, verified, attempt } = given;
    const home = this.homeOf(address);
    const link = this.linkAt(platform, address);
    if (link) return this.#repeat(link, given, uid);
    if (attempt !== null && attempt <= this.#departedAt(platform, address, id)) {
      return { code: 'member_erased' };
    }
    const known = this.linkWith(platform, id);
    const isVerified = isTrusted(platform) && verified !== false;
    const isGivenUp = isVerified && this.#isLate(given, home);
    const codes = isGivenUp ? ['address_handed_over'] : [];
    if (known && attempt !== null && attempt <= known.addressedAt) {
      this.#learn(known.home, uid);
      return { uid: uidOf(this.personOf(known.home)), warnings: ['registration_outdated'] };
    }
    const addressedAt = attempt ?? this.round;
    if (known) {
      const moved = this.#move(known, { address, addressedAt, isGivenUp }, isVerified, uid);
      return { ...moved, warnings: [...moved.warnings!, ...codes] };
    }
    const current = isGivenUp ? undefined : home;
    const target = current ?? this.#create(address, uid, isGivenUp);
    this.#learn(target, uid);
    if (current)
      this.#endSessions((session) => isOf(this.personOf(current), session) && !session.verified);
    const order = ++this.#order;
    const wasVerified = isVerified;
    const added = { platform, home: target, id, verified: isVerified, wasVerified };
    this.links.push({
      ...added,
      order,
      addressedAt,
      owner: isGivenUp ? this.#earlierOwner(address) : this.#owners.of(address),
      formerOwners: [],
      granted: new Set(),
      formerHomes: [],
    });
    return { uid: uidOf(this.personOf(target)), created: !current, warnings: codes };
  }

  /** Registrations of a platform in one batch: users who took over addresses of each other are settled together. */
  registerAll(
    batch: readonly Registration[],
    uids: readonly (string | undefined)[],
  ): readonly Expected[] {
    const contested = new Map<string, number>();
    const kept = new Map<number, Home>();
    const results = batch.map((given, at): Expected => {
      const isContested = this.#isMismatch(given);
      if (isContested) contested.set(given.id!, at);
      if (isContested) kept.set(at, this.linkAt(given.platform, given.address)!.home);
      return this.register(given, isContested ? '' : (uids[at] ?? ''));
    });
    const unsettled = new Set(contested.values());
    for (const first of contested.values()) {
      const path: number[] = [];
      let next: number | undefined = first;
      while (next !== undefined && unsettled.has(next) && !path.includes(next)) {
        path.push(next);
        const { platform, address }: Registration = batch[next]!;
        next = contested.get(this.linkAt(platform, address)?.id ?? '');
      }
      for (const at of path) unsettled.delete(at);
      const isCircle = next !== undefined && path.includes(next);
      const circle = isCircle ? path.slice(path.indexOf(next!)) : [];
      if (isCircle && !circle.every((at) => this.#canMove(batch[at]!))) {
        continue;
      }
      if (isCircle) this.#setAside(batch[next!]!);
      this.exchanged += circle.length;
      for (const at of path.reverse()) {
        results[at] = this.register(batch[at]!, uids[at] ?? '');
        kept.delete(at);
      }
    }
    return results.map((result, at) => {
      const home = kept.get(at);
      if (home === undefined) return result;
      this.#learn(home, uids[at] ?? '');
      return result.uid === unknownUid ? { ...result, uid: home.uid! } : result;
    });
  }

  /** True if another user of the platform has the address. */
  #isMismatch({ platform, address, id }: Registration): boolean {
    const link = this.linkAt(platform, address);
    if (!link || id === null || link.id === id) return false;
    return link.id !== null || this.linkWith(platform, id) !== undefined;
  }

  #canMove({ platform, id, attempt }: Registration): boolean {
    const link = this.linkWith(platform, id);
    return link !== undefined && (attempt === null || attempt > link.addressedAt);
  }

  /** Moves the link of a user who exchanges addresses out of the way. */
  #setAside({ platform, id, attempt }: Registration): void {
    const link = this.linkWith(platform, id)!;
    const { addressedAt } = link;
    const releasedAt = attempt ?? this.round;
    this.#move(
      link,
      { address: `aside ${++this.#order}`, addressedAt, releasedAt },
      link.verified,
      '',
    );
  }

  /** True for a registration from before the address was released on another platform, by another home. */
  #isLate({ platform, address, attempt }: Registration, present: Home | undefined): boolean {
    return this.#releases.some(
      (one) =>
        one.address === address &&
        one.platform !== platform &&
        one.home !== present &&
        attempt !== null &&
        one.at >= attempt,
    );
  }

  #earlierOwner(address: string): string {
    this.late++;
    return this.#owners.earlierOf(address);
  }

  /** True for a verified link whose home is found by the address. */
  #holds({ wasVerified, home }: Link): boolean {
    return wasVerified && home.address !== null && this.homeOf(home.address) === home;
  }

  #repeat(link: Link, given: Registration, uid: string): Expected {
    const { id, verified, platform, attempt } = given;
    this.#learn(link.home, uid);
    const warnings: string[] = [];
    const isConfirmed = verified === true && isTrusted(platform);
    const isLate = this.#isLate(given, link.home);
    const isOvertaken = attempt !== null && attempt <= link.addressedAt;
    const isKept = verified === null || (isConfirmed && (isLate || isOvertaken));
    const isVerified = isKept ? link.verified : isConfirmed;
    const code = isLate ? 'address_handed_over' : 'registration_outdated';
    if (isConfirmed && !link.verified && (isLate || isOvertaken)) warnings.push(code);
    if (id !== null && link.id !== id) {
      const known = this.linkWith(platform, id);
      const uidNow = uidOf(this.personOf(link.home));
      if (link.id !== null || known) {
        const isMoving = known && (attempt === null || attempt > known.addressedAt);
        warnings.push('local_user_id_mismatch', ...(isMoving ? ['email_taken'] : []));
        return { uid: uidNow, created: false, warnings };
      }
      if (isVerified && !link.home.gaveUp && !isLate) link.id = id;
      else warnings.push('local_user_id_unbound');
    } else if (id !== null) link.addressedAt = Math.max(link.addressedAt, attempt ?? this.round);
    if (link.verified && !isVerified) this.#endSessions((session) => session.link === link);
    link.verified = isVerified;
    link.wasVerified ||= isVerified;
    return { uid: uidOf(this.personOf(link.home)), created: false, warnings };
  }

  #move(
    link: Link,
    {
      address,
      addressedAt,
      releasedAt = addressedAt,
      isGivenUp = false,
    }: {
      readonly address: string;
      readonly addressedAt: number;
      readonly releasedAt?: number;
      readonly isGivenUp?: boolean;
    },
    isVerified: boolean,
    uid: string,
  ): Expected {
    const person = this.personOf(link.home);
    const { platform, home: old } = link;
    if (this.#holds(link)) {
      this.#releases.push({ address: old.address!, home: old, platform, at: releasedAt });
    }
    const current = isGivenUp ? undefined : this.homeOf(address);
    const former = current || !isVerified || isGivenUp ? undefined : this.#regain(link, address);
    const home = current ?? former?.home;
    this.#endSessions((session) => session.link === link);
    const others = this.linksOf(person).filter((one) => one !== link);
    const isOwners = link.wasVerified ? !others.some((one) => one.verified) : others.length === 0;
    const gone = { ...link };
    this.#claim(link, address, former?.owner, { isVerified, isGivenUp });
    link.verified = isVerified;
    link.addressedAt = addressedAt;
    if (isOwners && isTrusted(link.platform) && !home) {
      this.#learn(link.home, uid);
      link.wasVerified ||= isVerified;
      const left = link.home.address!;
      link.home.address = address;
      link.home.gaveUp = isGivenUp;
      this.#leaveBehind(
        others.filter((one) => one.home === link.home),
        left,
      );
      return { uid: uidOf(person), created: false, warnings: ['link_moved'] };
    }
    link.wasVerified = isVerified;
    this.#forget(link);
    link.home = home ?? this.#create(address, uid, isGivenUp);
    this.#learn(link.home, uid);
    link.order = ++this.#order;
    const owner = this.personOf(link.home);
    this.#settle(person, [gone], link);
    return { uid: uidOf(owner), created: !home, warnings: ['link_moved'] };
  }

  change(uid: string, platform: string, change: Change, newUid: string): Expected {
    const person = this.byUid(uid);
    const found = person && this.#expected(person, uid, platform, change.expectedId);
    if (!person || found === undefined) return { code: 'member_not_found' };
    if (found === null) return { code: 'version_conflict' };
    const { id, address, expectedAddress } = change;
    if (expectedAddress !== undefined && found.home.address !== expectedAddress) {
      return { code: 'version_conflict' };
    }
    const holder = id === undefined ? undefined : this.linkWith(platform, id);
    if (holder && holder !== found) return { code: 'local_user_id_taken' };
    const taken = address === undefined ? undefined : this.linkAt(platform, address);
    const isOwn = taken === found;
    if (taken && !isOwn) return { code: 'email_taken' };
    if (id !== undefined) found.id = id;
    const isRegained =
      isOwn && found.home.gaveUp && change.isConfirmed === true && isTrusted(platform);
    const owner = isRegained ? this.homeOf(address!) : undefined;
    if (owner && this.links.some((one) => one.platform === platform && one.home === owner)) {
      return { code: 'email_taken' };
    }
    if (isRegained && !owner) {
      found.home.gaveUp = false;
      found.owner = this.#owners.of(address!);
    }
    if (isOwn && !owner) found.addressedAt = this.round;
    if (address === undefined || (isOwn && !owner)) return { uid: uidOf(person) };
    const target = { address, addressedAt: this.round };
    return { ...this.#move(found, target, isTrusted(platform), newUid), warnings: [] };
  }

  /** The link that a request means: undefined for none, null if none is the expected one. */
  #expected(person: Person, uid: string, platform: string, id: string | null | undefined) {
    const links = this.linksOf(person).filter((one) => one.platform === platform);
    if (links.length === 0) return undefined;
    if (id !== undefined) return links.find((one) => one.id === id) ?? null;
    return links.find((one) => one.home.uid === uid) ?? links[0]!;
  }

  end(uid: string, platform: string, expectedId?: string | null): Expected {
    const person = this.byUid(uid);
    const link = person && this.#expected(person, uid, platform, expectedId);
    if (link === null) return { code: 'version_conflict' };
    if (link === undefined) return { code: this.#absence(uid, platform) };
    return { erased: this.leave(link) };
  }

  endAll(uid: string, platform: string): Expected {
    const person = this.byUid(uid);
    const links = person ? this.linksOf(person).filter((one) => one.platform === platform) : [];
    if (links.length === 0) return { code: this.#absence(uid, platform) };
    return { erased: this.leave(...links) };
  }

  /** Ends links of one member; true if that closes the member. */
  leave(...links: readonly Link[]): boolean {
    const person = this.personOf(links[0]!.home);
    const held = links.filter((link) => this.#holds(link));
    const addresses = held.map(({ home }) => home.address!);
    for (const link of links) {
      this.#depart(link);
      this.links.splice(this.links.indexOf(link), 1);
      this.#endSessions((session) => session.link === link);
    }
    const isClosed = this.#settle(person, links);
    for (const [at, { home, platform }] of held.entries()) {
      const address = addresses[at]!;
      if (this.homeOf(address) === home) continue;
      this.#releases.push({ address, home, platform, at: this.round });
    }
    return isClosed;
  }

  /** Notes that a local id left without a link. */
  leaveEarly(platform: string, id: string): Expected {
    this.#departed.set(`${platform} id ${id}`, this.round);
    return { code: 'member_not_found' };
  }

  erase(uid: string): Expected {
    const person = this.byUid(uid);
    if (!person) return { code: 'member_not_found' };
    for (const { address, gaveUp } of person.homes) {
      if (address !== null && !gaveUp) this.#departed.set(address, this.round);
    }
    for (const link of this.linksOf(person).filter((one) => this.#holds(one))) {
      const { home, platform } = link;
      this.#releases.push({ address: home.address!, home, platform, at: this.round });
    }
    this.#remove(person);
    return { uid: uidOf(person) };
  }

  merge(from: string, into: string, id: () => number | null): Expected {
    const [a, b] = [this.byUid(from), this.byUid(into)];
    if (!a || !b) return { code: 'member_not_found' };
    if (a === b || a.isSuspended !== b.isSuspended) return { code: 'validation_failed' };
    this.#endSessions((session) => isOf(a, session));
    const homes = [...a.homes];
    b.homes.push(...homes);
    this.people.splice(this.people.indexOf(a), 1);
    this.merges.push({ id: id()!, from: a, into: b, homes, isUndone: false });
    return { uid: uidOf(b) };
  }

  split(id: number): Expected {
    const merge = this.merges.find((one) => one.id === id)!;
    const { from, into, homes } = merge;
    const latest = this.merges.findLast((one) => one.into === into && !one.isUndone);
    const isAlive = this.people.includes(into);
    if (merge.isUndone || !isAlive || latest !== merge) return { code: 'validation_failed' };
    merge.isUndone = true;
    into.homes = into.homes.filter((home) => !homes.includes(home));
    from.homes = homes;
    this.people.push(from);
    this.#endSessions((session) => isOf(into, session));
    for (const half of [from, into]) if (this.linksOf(half).length === 0) this.#remove(half);
    return { uid: uidOf(from) };
  }

  setSuspended(uid: string, isSuspended: boolean): Expected {
    const person = this.byUid(uid);
    if (!person) return { code: 'member_not_found' };
    person.isSuspended = isSuspended;
    if (isSuspended) this.#endSessions((session) => isOf(person, session));
    return {};
  }

  /** The link that a login signs in through, bound to its id; else the refusal. */
  issue(platform: string, id: string, by: { address?: string; uid?: string }): Link | string {
    const home =
      by.address === undefined
        ? undefined
        : (this.linkAt(platform, by.address)?.home ?? this.homeOf(by.address));
    const person = by.uid === undefined ? home && this.personOf(home) : this.byUid(by.uid);
    if (!person) return 'member_not_found';
    const own = this.linksOf(person).filter(
      (one) => one.platform === platform && (by.uid !== undefined || one.home === home),
    );
    const link = own.find((one) => one.id === id) ?? own.find((one) => one.id === null);
    const isBound = link?.id === id;
    const isOwners = by.uid !== undefined || home?.gaveUp === false;
    const canBind = isOwners && link?.verified === true && !this.linkWith(platform, id);
    if (!link || (!isBound && !canBind)) return 'member_not_found';
    if (person.isSuspended) return 'member_suspended';
    const isShared = this.linksOf(person).some((one) => one.platform !== platform);
    if (!link.verified && isShared) return 'email_unverified';
    link.id = id;
    return link;
  }

  started(token: string, link: Link): void {
    const person = this.personOf(link.home);
    const { platform, verified } = link;
    this.sessions.push({ token, link, person, platform, verified, isOver: false });
  }

  revoke(uid: string, platform: string, scope: 'platform' | 'all'): Expected {
    const person = this.byUid(uid);
    const link = person && this.#expected(person, uid, platform, undefined);
    if (!person || !link) return { code: 'member_not_found' };
    if (scope === 'all' && !link.verified) return { code: 'email_unverified' };
    this.#endSessions(
      (session) => isOf(person, session) && (scope === 'all' || session.platform === platform),
    );
    return {};
  }

  logOut(session: Session, scope: 'one' | 'all', wasLive: boolean): void {
    session.isOver = true;
    if (scope === 'all' && wasLive) this.#endSessions((one) => isOf(session.person, one));
  }

  /** The home that an address leads to: others may have given it up. */
  homeOf(address: string): Home | undefined {
    const homes = this.people.flatMap((person) => person.homes);
    return homes.find((home) => home.address === address && !home.gaveUp);
  }

  /** The platform’s link with an address. */
  linkAt(platform: string, address: string): Link | undefined {
    return this.links.find((one) => one.platform === platform && one.home.address === address);
  }

  personOf(home: Home): Person {
    return this.people.find(({ homes }) => homes.includes(home))!;
  }

  byUid(uid: string): Person | undefined {
    return this.people.find(({ homes }) => homes.some((home) => home.uid === uid));
  }

  linkWith(platform: string, id: string | null): Link | undefined {
    return this.links.find((one) => id !== null && one.platform === platform && one.id === id);
  }

  linksOf({ homes }: Person): readonly Link[] {
    return this.links
      .filter(({ home }) => homes.includes(home))
      .toSorted((a, b) => a.order - b.order);
  }

  /** Lets the user of a link have another address: the one that it had is the next owner's, if it was verified. */
  #claim(
    link: Link,
    address: string,
    regained: string | undefined,
    { isVerified, isGivenUp }: { readonly isVerified: boolean; readonly isGivenUp: boolean },
  ): void {
    if (link.wasVerified) {
      this.#owners.end(link.owner);
      // An address that was only asserted was never shown to be the user’s.
      link.formerOwners.push(link.owner);
    }
    // A user who comes back before the next owner, verified, is the owner, of the home that the link gets again.
    const former = regained ?? link.formerOwners.findLast((one) => ownsAddress(one, address));
    const isUsed = this.links.some(({ owner }) => owner === this.#owners.of(address));
    const canReturn = isVerified && !isGivenUp;
    if (canReturn && former !== undefined && (regained !== undefined || !isUsed))
      this.#owners.restore(former);
    link.owner = isGivenUp ? this.#earlierOwner(address) : this.#owners.of(address);
  }

  #create(address: string, uid: string | null, gaveUp = false): Home {
    const home = { uid: uid === '' ? null : uid, address, gaveUp };
    this.people.push({ homes: [home], isSuspended: false });
    return home;
  }

  /** Names a member that was made without an answer, by the first answer about it. */
  #learn(home: Home, uid: string): void {
    if (home.uid !== null || uid === '' || this.byUid(uid) || this.#erasedUids.has(uid)) return;
    home.uid = uid;
  }

  /**
   * Closes a member without links, or without owner: its unverified links go to new members. Releases addresses without
   * links. True for a member that was closed.
   */
  #settle(person: Person, gone: readonly Link[], mover?: Link): boolean {
    const owned = gone.filter(({ wasVerified }) => wasVerified).map(({ home }) => home);
    const rest = this.linksOf(person);
    const hasOwner = rest.some(({ verified }) => verified);
    const strays: { readonly links: readonly Link[]; readonly address: string }[] = [];
    for (const { home } of gone) {
      if (!rest.some((link) => link.home === home)) home.address = null;
    }
    for (const home of hasOwner ? new Set(owned) : owned.length > 0 ? [...person.homes] : []) {
      const links = rest.filter((link) => link.home === home);
      const isOwned = links.some(({ verified }) => verified);
      if (links.length === 0 || (isOwned && !mover)) continue;
      const address = home.address!;
      strays.push({
        address,
        links: isOwned ? links.filter(({ wasVerified }) => !wasVerified) : links,
      });
      if (!isOwned) {
        home.address = null;
        continue;
      }
      home.gaveUp = true;
      this.gaveUp++;
      mover!.formerHomes.push({ home, owner: gone[0]!.owner });
    }
    for (const { links, address } of strays) this.#leaveBehind(links, address);
    if (this.linksOf(person).length > 0) return false;
    this.#remove(person, gone);
    return true;
  }

  /** The home that gave an address up when the link left it has it again. */
  #regain(link: Link, address: string): FormerHome | undefined {
    const former = link.formerHomes.findLast(
      ({ home, owner }) =>
        home.address === address &&
        ownsAddress(owner, address) &&
        home.gaveUp &&
        this.people.some(({ homes }) => homes.includes(home)),
    );
    if (!former) return undefined;
    former.home.gaveUp = false;
    this.cameBack++;
    return former;
  }

  /** Lets no link of the platform come back to a home that another one leaves now. */
  #forget({ platform, home }: Link): void {
    for (const link of this.links) {
      if (link.platform !== platform) continue;
      link.formerHomes = link.formerHomes.filter((one) => one.home !== home);
    }
  }

  /** Gives links of an address to the member that has it, made if need be. */
  #leaveBehind(links: readonly Link[], address: string): void {
    if (links.length === 0) return;
    const current = this.homeOf(address);
    const home = current ?? this.#create(address, null);
    this.leftBehind++;
    for (const link of links) {
      this.#forget(link);
      link.home = home;
      link.owner = this.#owners.of(address);
      this.#endSessions((session) => session.link === link);
    }
    if (current === undefined) return;
    const joined = this.personOf(home);
    this.#endSessions((session) => isOf(joined, session) && !session.verified);
  }

  #remove(person: Person, left: readonly Link[] = []): void {
    const links = this.linksOf(person);
    const platforms = new Set([...left, ...links].map(({ platform }) => platform));
    for (const link of links) {
      this.#depart(link);
      this.links.splice(this.links.indexOf(link), 1);
    }
    for (const { uid } of person.homes) if (uid !== null) this.#erasedUids.set(uid, platforms);
    this.#endSessions((session) => isOf(person, session));
    this.people.splice(this.people.indexOf(person), 1);
  }

  #depart({ platform, home, id }: Link): void {
    this.#departed.set(`${platform} ${home.address}`, this.round);
    if (id !== null) this.#departed.set(`${platform} id ${id}`, this.round);
  }

  #departedAt(platform: string, address: string, id: string | null): number {
    const names = [address, `${platform} ${address}`, `${platform} id ${id}`];
    return Math.max(...names.map((name) => this.#departed.get(name) ?? -1));
  }

  #absence(uid: string, platform: string): string {
    const isErased = this.#erasedUids.get(uid)?.has(platform) === true;
    return isErased ? 'member_erased' : 'member_not_found';
  }

  #endSessions(isEnded: (session: Session) => boolean): void {
    for (const session of this.sessions) if (isEnded(session)) session.isOver = true;
  }
}

export const platforms = ['books', 'music', 'forum'] as const;

function isTrusted(platform: string): boolean {
  return platform !== 'forum';
}

function isOf(person: Person, session: Session): boolean {
  return session.person === person;
}

/** The member's uid; a text that is none for one that no answer named. */
function uidOf(person: Person): string {
  return person.homes[0]!.uid ?? unknownUid;
}

const unknownUid = 'unknown';
