import type { AccountDepartures } from './account-departures.ts';
import type { Expected, Home, Link, Registration } from './account-entities.ts';
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
      if (isContested) kept.set(at, this.#lists.linkAt(given.platform, given.address)!.home);
      return this.#register(given, isContested ? '' : (uids[at] ?? ''));
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
        kept.delete(at);
      }
    }
    return results.map((result, at) => {
      const home = kept.get(at);
      if (home === undefined) return result;
      this.#moves.learn(home, uids[at] ?? '');
      return result.uid === unknownUid ? { ...result, uid: home.uid! } : result;
    });
  }

  /** The user's account after a registration; `uid` is that of the answer, for a member that is new. */
  #register(given: Registration, uid: string): Expected {
    const { platform, address, id, verified, attempt } = given;
    const lists = this.#lists;
    const link = lists.linkAt(platform, address);
    if (link) return this.#repeat(link, given, uid);
    if (this.#departures.refuses(given)) return { code: 'member_erased' };
    const home = lists.homeOf(address);
    const known = lists.linkWith(platform, id);
    const isVerified = isTrusted(platform) && verified !== false;
    const isGivenUp = isVerified && this.#departures.isLate(given, home);
    const codes = isGivenUp ? ['address_handed_over'] : [];
    if (known && isOutdated(known, given)) {
      this.#moves.learn(known.home, uid);
      return { uid: uidOf(lists.personOf(known.home)), warnings: ['registration_outdated'] };
    }
    const addressedAt = attempt ?? lists.round;
    if (known) {
      const target = { address, addressedAt, isGivenUp };
      const moved = this.#moves.move(known, target, isVerified, uid);
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
      granted: new Set(),
      formerHomes: [],
    });
    return { uid: uidOf(person), created: !current, warnings: codes };
  }

  /** Registers a pair that is linked already. */
  #repeat(link: Link, given: Registration, uid: string): Expected {
    const { id, verified, platform, attempt } = given;
    const lists = this.#lists;
    this.#moves.learn(link.home, uid);
    const warnings: string[] = [];
    const isConfirmed = verified === true && isTrusted(platform);
    const isLate = this.#departures.isLate(given, link.home);
    const isOvertaken = isOutdated(link, given);
    const isKept = verified === null || (isConfirmed && (isLate || isOvertaken));
    const isVerified = isKept ? link.verified : isConfirmed;
    const code = isLate ? 'address_handed_over' : 'registration_outdated';
    if (isConfirmed && !link.verified && (isLate || isOvertaken)) warnings.push(code);
    if (id !== null && link.id !== id) {
      const known = lists.linkWith(platform, id);
      const uidNow = uidOf(lists.personOf(link.home));
      if (link.id !== null || known) {
        const isMoving = known && !isOutdated(known, given);
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

  #canMove(given: Registration): boolean {
    const link = this.#lists.linkWith(given.platform, given.id);
    return link !== undefined && !isOutdated(link, given);
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
