import type { AccountDepartures } from './account-departures.ts';
import type { ExpectedAnswer, Home, Link, Registration } from './account-entities.ts';
import { isOf, isTrusted, uidOf, unknownUid, type AccountLists } from './account-lists.ts';
import type { AccountMoves } from './account-moves.ts';

/** Registrations, one by one and in a batch. */
export class AccountRegistrations {
  /** Users who exchanged addresses in a batch. */
  exchanged = 0;
  readonly #lists: AccountLists;
  readonly #departures: AccountDepartures;
  readonly #moves: AccountMoves;

  constructor(lists: AccountLists, departures: AccountDepartures, moves: AccountMoves) {
    this.#lists = lists;
    this.#departures = departures;
    this.#moves = moves;
  }

  /** Registers a batch of a platform. Users who exchange addresses with each other are settled together. */
  registerAll(
    batch: readonly Registration[],
    uids: readonly (string | undefined)[],
  ): readonly ExpectedAnswer[] {
    const contested = new Map<string, number>();
    const contestedHomes = new Map<number, Home>();
    const results = batch.map((registration, at): ExpectedAnswer => {
      const isContested = this.#isMismatch(registration);
      if (isContested) contested.set(registration.id!, at);
      if (isContested)
        contestedHomes.set(
          at,
          this.#lists.linkAt(registration.platform, registration.address)!.home,
        );
      return this.#register(registration, isContested ? '' : (uids[at] ?? ''));
    });
    const unsettled = new Set(contested.values());
    for (const first of contested.values()) {
      const path: number[] = [];
      let next: number | undefined = first;
      while (next !== undefined && unsettled.has(next) && !path.includes(next)) {
        path.push(next);
        const { platform, address }: Registration = batch[next]!;
        next = contested.get(this.#lists.linkAt(platform, address)?.id ?? '');
      }
      for (const at of path) unsettled.delete(at);
      const isCircle = next !== undefined && path.includes(next);
      const circle = isCircle ? path.slice(path.indexOf(next!)) : [];
      if (isCircle && !circle.every((at) => this.#canMove(batch[at]!))) continue;
      if (isCircle) this.#setAside(batch[next!]!);
      this.exchanged += circle.length;
      for (const at of path.reverse()) {
        results[at] = this.#register(batch[at]!, uids[at] ?? '');
        contestedHomes.delete(at);
      }
    }
    return results.map((result, at) => {
      const home = contestedHomes.get(at);
      if (home === undefined) return result;
      this.#moves.learn(home, uids[at] ?? '');
      return result.uid === unknownUid ? { ...result, uid: home.uid! } : result;
    });
  }

  /** Registers a user and returns the expected answer. A new member gets `uid`, which the real answer has. */
  #register(registration: Registration, uid: string): ExpectedAnswer {
    const { platform, address, id, verified, attempt } = registration;
    const lists = this.#lists;
    const link = lists.linkAt(platform, address);
    if (link) return this.#repeat(link, registration, uid);
    if (this.#departures.refuses(registration)) return { code: 'member_erased' };
    const home = lists.homeOf(address);
    const userLink = lists.linkWith(platform, id);
    const isVerified = isTrusted(platform) && verified !== false;
    const isGivenUp = isVerified && this.#departures.isLate(registration, home);
    const codes = isGivenUp ? ['address_handed_over'] : [];
    if (userLink && isOutdated(userLink, registration)) {
      this.#moves.learn(userLink.home, uid);
      return { uid: uidOf(lists.personOf(userLink.home)), warnings: ['registration_outdated'] };
    }
    const addressedAt = attempt ?? lists.round;
    if (userLink) {
      const target = { address, addressedAt, isGivenUp };
      const moved = this.#moves.move(userLink, target, isVerified, uid);
      return { ...moved, warnings: [...moved.warnings!, ...codes] };
    }
    const current = isGivenUp ? undefined : home;
    const target = current ?? lists.create(address, uid, isGivenUp);
    this.#moves.learn(target, uid);
    const person = lists.personOf(target);
    lists.endSessions((session) => isOf(person, session) && !session.verified);
    lists.links.push({
      platform,
      home: target,
      id,
      verified: isVerified,
      wasVerified: isVerified,
      order: lists.nextOrder(),
      addressedAt,
      owner: isGivenUp ? this.#moves.earlierOwner(address) : lists.owners.of(address),
      formerOwners: [],
      grantedCodes: new Set(),
      formerHomes: [],
    });
    return { uid: uidOf(person), created: !current, warnings: codes };
  }

  /** Registers a pair that is linked already. */
  #repeat(link: Link, registration: Registration, uid: string): ExpectedAnswer {
    const { id, verified, platform, attempt } = registration;
    const lists = this.#lists;
    this.#moves.learn(link.home, uid);
    const warnings: string[] = [];
    const isConfirmed = verified === true && isTrusted(platform);
    const isLate = this.#departures.isLate(registration, link.home);
    const isOvertaken = isOutdated(link, registration);
    const isKept = verified === null || (isConfirmed && (isLate || isOvertaken));
    const isVerified = isKept ? link.verified : isConfirmed;
    const code = isLate ? 'address_handed_over' : 'registration_outdated';
    if (isConfirmed && !link.verified && (isLate || isOvertaken)) warnings.push(code);
    if (id !== null && link.id !== id) {
      const userLink = lists.linkWith(platform, id);
      const uidNow = uidOf(lists.personOf(link.home));
      if (link.id !== null || userLink) {
        const isMoving = userLink && !isOutdated(userLink, registration);
        warnings.push('local_user_id_mismatch', ...(isMoving ? ['email_taken'] : []));
        return { uid: uidNow, created: false, warnings };
      }
      if (isVerified && !link.home.gaveUp && !isLate) link.id = id;
      else warnings.push('local_user_id_unbound');
    } else if (id !== null) link.addressedAt = Math.max(link.addressedAt, attempt ?? lists.round);
    if (link.verified && !isVerified) lists.endSessions((session) => session.link === link);
    link.verified = isVerified;
    link.wasVerified ||= isVerified;
    return { uid: uidOf(lists.personOf(link.home)), created: false, warnings };
  }

  /** True if another user of the platform has the address. */
  #isMismatch({ platform, address, id }: Registration): boolean {
    const link = this.#lists.linkAt(platform, address);
    if (!link || id === null || link.id === id) return false;
    return link.id !== null || this.#lists.linkWith(platform, id) !== undefined;
  }

  #canMove(registration: Registration): boolean {
    const link = this.#lists.linkWith(registration.platform, registration.id);
    return link !== undefined && !isOutdated(link, registration);
  }

  /** Moves the link of a user who exchanges addresses out of the way. */
  #setAside({ platform, id, attempt }: Registration): void {
    const link = this.#lists.linkWith(platform, id)!;
    const { addressedAt, verified } = link;
    const address = `aside ${this.#lists.nextOrder()}`;
    const target = { address, addressedAt, releasedAt: attempt ?? this.#lists.round };
    this.#moves.move(link, target, verified, '');
  }
}

/** True for a request from before the link had its present address. */
function isOutdated({ addressedAt }: Link, { attempt }: Registration): boolean {
  return attempt !== null && attempt <= addressedAt;
}
