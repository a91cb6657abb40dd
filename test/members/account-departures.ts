import type { Home, Link, Person, Registration, Release } from './account-entities.ts';
import type { AccountLists } from './account-lists.ts';

/** Times at which members and links ended: no request from before may bring them back. */
export class AccountDepartures {
  readonly #lists: AccountLists;
  /** Times at which addresses and local ids were last given up. */
  readonly #departureTimes = new Map<string, number>();
  readonly #releases: Release[] = [];
  readonly #erasedUids = new Map<string, Set<string>>();

  constructor(lists: AccountLists) {
    this.#lists = lists;
  }

  /** Notes that a local id left its platform. */
  noteId(platform: string, id: string): void {
    this.#departureTimes.set(`${platform} id ${id}`, this.#lists.round);
  }

  /** Notes that the addresses of a member may not be registered by requests from before. */
  noteAddresses({ homes }: Person): void {
    for (const { address, gaveUp } of homes) {
      if (address !== null && !gaveUp) this.#departureTimes.set(address, this.#lists.round);
    }
  }

  noteLink({ platform, home, id }: Link): void {
    this.#departureTimes.set(`${platform} ${home.address}`, this.#lists.round);
    if (id !== null) this.noteId(platform, id);
  }

  /** Notes that the home of a link no longer has an address. */
  noteRelease({ platform, home }: Link, address: string, at: number): void {
    this.#releases.push({ address, home, platform, at });
  }

  noteErased(uid: string, platforms: Set<string>): void {
    this.#erasedUids.set(uid, platforms);
  }

  isErased(uid: string): boolean {
    return this.#erasedUids.has(uid);
  }

  /** True for a retry whose first attempt came before its address or local id was given up. */
  refuses({ platform, address, id, attempt }: Registration): boolean {
    const names = [address, `${platform} ${address}`, `${platform} id ${id}`];
    return (
      attempt !== null && names.some((name) => attempt <= (this.#departureTimes.get(name) ?? -1))
    );
  }

  /** True for a registration first attempted before another home released the address on another platform. */
  isLate({ platform, address, attempt }: Registration, present: Home | undefined): boolean {
    return this.#releases.some(
      (one) =>
        one.address === address &&
        one.platform !== platform &&
        one.home !== present &&
        attempt !== null &&
        one.at >= attempt,
    );
  }

  /** Code for a uid without a link of the platform. */
  absence(uid: string, platform: string): string {
    const isErased = this.#erasedUids.get(uid)?.has(platform) === true;
    return isErased ? 'member_erased' : 'member_not_found';
  }
}
