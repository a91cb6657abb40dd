import type { FormerLink, Home, Link, MergeRecord, Person, Session } from './account-entities.ts';
import { AddressOwners } from './address-owners.ts';

/** Members, links and sessions in lists that are searched. A new member has no uid until an answer names it. */
export class AccountLists {
  readonly people: Person[] = [];
  readonly links: Link[] = [];
  readonly sessions: Session[] = [];
  readonly merges: MergeRecord[] = [];
  /** Homes that links left for another member: a platform may still call by the uid of such a home. */
  readonly formerLinks: FormerLink[] = [];
  /** Owners of addresses. When a user with a verified link moves away, the address gets its next owner. */
  readonly owners = new AddressOwners();
  /** Registrations so far. Times are counted in them. */
  round = 0;
  #order = 0;

  /** The home that an address leads to; none that gave it up. */
  homeOf(address: string): Home | undefined {
    const homes = this.people.flatMap((person) => person.homes);
    return homes.find((home) => home.address === address && !home.gaveUp);
  }

  /** The platform’s link with an address. */
  linkAt(platform: string, address: string): Link | undefined {
    return this.links.find((one) => one.platform === platform && one.home.address === address);
  }

  linkWith(platform: string, id: string | null): Link | undefined {
    return this.links.find((one) => id !== null && one.platform === platform && one.id === id);
  }

  personOf(home: Home): Person {
    return this.people.find(({ homes }) => homes.includes(home))!;
  }

  byUid(uid: string): Person | undefined {
    return this.people.find(({ homes }) => homes.some((home) => home.uid === uid));
  }

  /** Notes the uids by which a platform may still call about the user of a link that left. */
  noteMove(link: Link, from: Home, person: Person): void {
    const { platform } = link;
    const isLast = !this.linksOf(person).some((one) => one.platform === platform);
    for (const home of isLast ? new Set([from, person.homes[0]!]) : [from]) {
      const at = this.formerLinks.findIndex(
        (one) =>
          one.home === home && one.link.platform === platform && this.links.includes(one.link),
      );
      if (at >= 0 && home !== from) continue;
      if (at >= 0) this.formerLinks.splice(at, 1);
      this.formerLinks.push({ home, link });
    }
  }

  /**
   * The links that a platform may mean by a uid: its present link first, then the one that left the home of the uid.
   * With `id`, only the link of that local user.
   */
  meantLinks(uid: string, platform: string, id?: string | null): readonly Link[] {
    const person = this.byUid(uid);
    const present = person && this.expectedLink(person, uid, platform, undefined);
    const isMeant = ({ home, link }: FormerLink) =>
      home.uid === uid && link.platform === platform && this.links.includes(link);
    const former = this.formerLinks.find(isMeant)?.link;
    const found = present ?? former;
    if (!found) return [];
    const isOfPlatform = (one: Link) => one.platform === platform;
    const own = this.linksOf(this.personOf(found.home)).filter(isOfPlatform);
    const all = [...own, ...(former ? [former] : [])];
    if (id !== undefined) return all.filter((one) => one.id === id).slice(0, 1);
    return former && !own.includes(former) ? [found, former] : [found];
  }

  linksOf({ homes }: Person): readonly Link[] {
    return this.links
      .filter(({ home }) => homes.includes(home))
      .toSorted((a, b) => a.order - b.order);
  }

  /** The link that a request means: undefined for none, null if none is the expected one. */
  expectedLink(person: Person, uid: string, platform: string, id: string | null | undefined) {
    const links = this.linksOf(person).filter((one) => one.platform === platform);
    if (links.length === 0) return undefined;
    if (id !== undefined) return links.find((one) => one.id === id) ?? null;
    return links.find((one) => one.home.uid === uid) ?? links[0]!;
  }

  /** True for a verified link whose home is found by the address. */
  holds({ wasVerified, home }: Link): boolean {
    return wasVerified && home.address !== null && this.homeOf(home.address) === home;
  }

  /** A number for the next thing in order. */
  nextOrder(): number {
    return ++this.#order;
  }

  create(address: string, uid: string | null, gaveUp = false): Home {
    const home = { uid: uid === '' ? null : uid, address, gaveUp };
    this.people.push({ homes: [home], isSuspended: false });
    return home;
  }

  endSessions(isEnded: (session: Session) => boolean): void {
    for (const session of this.sessions) if (isEnded(session)) session.isOver = true;
  }
}

export function isTrusted(platform: string): boolean {
  return platform !== 'forum';
}

export function isOf(person: Person, session: Session): boolean {
  return session.person === person;
}

/** The member's uid, or `unknownUid` if no answer has named it. */
export function uidOf(person: Person): string {
  return person.homes[0]!.uid ?? unknownUid;
}

export const unknownUid = 'unknown';
