/** Owners of addresses one after the other, each an address and a number: `kim@example.com 0`. */
export class AddressOwners {
  readonly #numbers = new Map<string, number>();
  /** The number given last. An owner who came back may have a lower one; the next owner always gets a new one. */
  #last = 0;
  #earlier = 0;

  /** The present owner of an address. */
  of(address: string): string {
    return `${address} ${this.#numberOf(address)}`;
  }

  /** An owner of the address before the present one. */
  earlierOf(address: string): string {
    return `${address} ${--this.#earlier}`;
  }

  /** Leaves the address to its next owner, if `owner` is the present one. */
  end(owner: string): void {
    const [address, number] = partsOf(owner);
    if (number === this.#numberOf(address)) this.#numbers.set(address, ++this.#last);
  }

  /** Makes an earlier owner the present one: its user came back. */
  restore(owner: string): void {
    this.#numbers.set(...partsOf(owner));
  }

  #numberOf(address: string): number {
    return this.#numbers.get(address) ?? 0;
  }
}

/** True for an owner of the address. */
export function ownsAddress(owner: string, address: string): boolean {
  return partsOf(owner)[0] === address;
}

function partsOf(owner: string): [address: string, number: number] {
  const at = owner.lastIndexOf(' ');
  return [owner.slice(0, at), Number(owner.slice(at + 1))];
}
