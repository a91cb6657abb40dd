import type { AccountDepartures } from './account-departures.ts';
import type { ExpectedAnswer, FormerHome, Home, Link, Person } from './account-entities.ts';
import { isOf, isTrusted, uidOf, type AccountLists } from './account-lists.ts';
import { ownsAddress } from './address-owners.ts';

/** An address that a link moves to. */
interface Target {
  readonly address: string;
  readonly addressedAt: number;
  readonly releasedAt?: number;
  /** True for an address that has its next owner already. */
  readonly isGivenUp?: boolean;
}

/** Links that move or end, and what becomes of the members that they leave. */
export class AccountMoves {
  /** Members made for unverified links whose owner moved away or left. */
  leftBehind = 0;
  /** Addresses that a shared member gave up, and those that it has again. */
  gaveUp = 0;
  cameBack = 0;
  /** Registrations of earlier owners. */
  late = 0;
  readonly #lists: AccountLists;
  readonly #departures: AccountDepartures;

  constructor(lists: AccountLists, departures: AccountDepartures) {
    this.#lists = lists;
    this.#departures = departures;
  }

  move(
    link: Link,
    { address, addressedAt, releasedAt = addressedAt, isGivenUp = false }: Target,
    isVerified: boolean,
    uid: string,
  ): ExpectedAnswer {
    const lists = this.#lists;
    const person = lists.personOf(link.home);
    const linkBefore = { ...link };
    if (lists.holds(link)) this.#departures.noteRelease(link, link.home.address!, releasedAt);
    const current = isGivenUp ? undefined : lists.homeOf(address);
    const former = current || !isVerified || isGivenUp ? undefined : this.#regain(link, address);
    const home = current ?? former?.home;
    lists.endSessions((session) => session.link === link);
    const others = lists.linksOf(person).filter((one) => one !== link);
    const isOwnersLink = link.wasVerified
      ? !others.some((one) => one.verified)
      : others.length === 0;
    this.#claim(link, address, former?.owner, { isVerified, isGivenUp });
    link.verified = isVerified;
    link.addressedAt = addressedAt;
    if (isOwnersLink && isTrusted(link.platform) && !home) {
      this.learn(link.home, uid);
      link.wasVerified ||= isVerified;
      const left = link.home.address!;
      link.home.address = address;
      link.home.gaveUp = isGivenUp;
      const strays = others.filter((one) => one.home === link.home);
      this.#leaveBehind(strays, left);
      return { uid: uidOf(person), created: false, warnings: ['link_moved'] };
    }
    link.wasVerified = isVerified;
    this.#forget(link);
    link.home = home ?? lists.create(address, uid, isGivenUp);
    this.learn(link.home, uid);
    lists.noteMove(link, linkBefore.home, person);
    link.order = lists.nextOrder();
    const owner = lists.personOf(link.home);
    this.#settle(person, [linkBefore], link);
    return { uid: uidOf(owner), created: !home, warnings: ['link_moved'] };
  }

  /** Ends links of one member; true if that closes the member. */
  leave(...links: readonly Link[]): boolean {
    const lists = this.#lists;
    const person = lists.personOf(links[0]!.home);
    const releasable = links
      .filter((link) => lists.holds(link))
      .map((link) => ({ link, address: link.home.address! }));
    for (const link of links) this.#end(link);
    const isClosed = this.#settle(person, links);
    for (const { link, address } of releasable) {
      if (lists.homeOf(address) === link.home) continue;
      this.#departures.noteRelease(link, address, lists.round);
    }
    return isClosed;
  }

  remove(person: Person, left: readonly Link[] = []): void {
    const links = this.#lists.linksOf(person);
    const platforms = new Set([...left, ...links].map(({ platform }) => platform));
    for (const link of links) this.#end(link);
    for (const { uid } of person.homes) {
      if (uid !== null) this.#departures.noteErased(uid, platforms);
    }
    this.#lists.endSessions((session) => isOf(person, session));
    this.#lists.people.splice(this.#lists.people.indexOf(person), 1);
  }

  /** Names a member that was made without an answer, by the first answer about it. */
  learn(home: Home, uid: string): void {
    if (home.uid !== null || uid === '') return;
    if (this.#lists.byUid(uid) || this.#departures.isErased(uid)) return;
    home.uid = uid;
  }

  /** An owner of the address before the present one, who registers late. */
  earlierOwner(address: string): string {
    this.late++;
    return this.#lists.owners.earlierOf(address);
  }

  #end(link: Link): void {
    this.#departures.noteLink(link);
    this.#lists.links.splice(this.#lists.links.indexOf(link), 1);
    this.#lists.endSessions((session) => session.link === link);
  }

  /** Gives the user of a link another address. The previous one goes to its next owner, if it was verified. */
  #claim(
    link: Link,
    address: string,
    regained: string | undefined,
    { isVerified, isGivenUp }: { readonly isVerified: boolean; readonly isGivenUp: boolean },
  ): void {
    const { owners, links } = this.#lists;
    if (link.wasVerified) {
      owners.end(link.owner);
      // An address that was only asserted was never shown to be the user’s.
      link.formerOwners.push(link.owner);
    }
    // A verified user who comes back before there is a next owner is the owner again.
    const former = regained ?? this.#formerOwner(link, address);
    const isUsed = links.some(({ owner }) => owner === owners.of(address));
    const canReturn = isVerified && !isGivenUp && (regained !== undefined || !isUsed);
    if (canReturn && former !== undefined) owners.restore(former);
    link.owner = isGivenUp ? this.earlierOwner(address) : owners.of(address);
  }

  /** The former owner of an address that the user of a link was, unless another user of the platform was it too. */
  #formerOwner({ platform, id, formerOwners }: Link, address: string): string | undefined {
    const others = this.#lists.links.filter((one) => one.platform === platform && one.id !== id);
    const isOthers = (owner: string) =>
      others.some((one) => one.owner === owner || one.formerOwners.includes(owner));
    return formerOwners.findLast((owner) => ownsAddress(owner, address) && !isOthers(owner));
  }

  /**
   * Closes a member without links, or without an owner: its unverified links then go to new members. Releases addresses
   * without links. Returns true if it closed the member.
   */
  #settle(person: Person, gone: readonly Link[], mover?: Link): boolean {
    const rest = this.#lists.linksOf(person);
    for (const { home } of gone) {
      if (!rest.some((link) => link.home === home)) home.address = null;
    }
    const owned = gone.filter(({ wasVerified }) => wasVerified).map(({ home }) => home);
    const hasOwner = rest.some(({ verified }) => verified);
    const strays: { readonly links: readonly Link[]; readonly address: string }[] = [];
    for (const home of hasOwner ? new Set(owned) : owned.length > 0 ? person.homes : []) {
      const links = rest.filter((link) => link.home === home);
      const address = home.address;
      if (address === null) continue;
      if (!links.some(({ verified }) => verified)) {
        home.address = null;
        strays.push({ address, links });
      } else if (mover) {
        home.gaveUp = true;
        this.gaveUp++;
        mover.formerHomes.push({ home, owner: gone[0]!.owner });
        strays.push({ address, links: links.filter(({ wasVerified }) => !wasVerified) });
      }
    }
    for (const { links, address } of strays) this.#leaveBehind(links, address);
    if (this.#lists.linksOf(person).length > 0) return false;
    this.remove(person, gone);
    return true;
  }

  /** Gives an address back to the home that gave it up when the link left, and returns that home. */
  #regain(link: Link, address: string): FormerHome | undefined {
    const former = link.formerHomes.findLast(
      ({ home, owner }) =>
        home.address === address &&
        ownsAddress(owner, address) &&
        home.gaveUp &&
        this.#lists.people.some(({ homes }) => homes.includes(home)),
    );
    if (!former) return undefined;
    former.home.gaveUp = false;
    this.cameBack++;
    return former;
  }

  /** Keeps other links of the platform from coming back to the home that a link leaves now. */
  #forget({ platform, home }: Link): void {
    for (const link of this.#lists.links) {
      if (link.platform !== platform) continue;
      link.formerHomes = link.formerHomes.filter((one) => one.home !== home);
    }
  }

  /** Moves links of an address to the member that has the address now, or to a new one. */
  #leaveBehind(links: readonly Link[], address: string): void {
    if (links.length === 0) return;
    const lists = this.#lists;
    const current = lists.homeOf(address);
    const home = current ?? lists.create(address, null);
    this.leftBehind++;
    for (const link of links) {
      this.#forget(link);
      const { home: left } = link;
      const owner = lists.personOf(left);
      link.home = home;
      lists.noteMove(link, left, owner);
      link.owner = lists.owners.of(address);
      lists.endSessions((session) => session.link === link);
    }
    if (current === undefined) return;
    const joined = lists.personOf(home);
    lists.endSessions((session) => isOf(joined, session) && !session.verified);
  }
}
