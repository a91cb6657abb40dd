/** A repeatable generator of random numbers: invented values depend only on the seed and the name of a thing. */
export class SeededRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** At least 0 and below 1 (mulberry32). */
  fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number from `low` to `high`, both possible. */
  whole(low: number, high: number): number {
    return low + Math.floor(this.fraction() * (high - low + 1));
  }

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  pick<T>(choices: readonly [T, ...T[]] | readonly T[]): T {
    const choice = choices[Math.floor(this.fraction() * choices.length)];
    if (choice === undefined)
      throw new Error('There is nothing to pick from. Pass at least one choice.');
    return choice;
  }

  /** `count` random digits. */
  digits(count: number): string {
    return String(this.whole(0, 10 ** count - 1)).padStart(count, '0');
  }
}

/** The generator for one thing, which its kind and `parts` identify. */
export function randomFor(
  seed: number,
  kind: string,
  ...parts: readonly (string | number)[]
): SeededRandom {
  return new SeededRandom(hashOf(seed, kind, ...parts));
}

/** FNV-1a over the parts, mixed at the end so that neighbours differ in every bit. */
export function hashOf(seed: number, ...parts: readonly (string | number)[]): number {
  let hash = 0x811c9dc5 ^ seed;
  for (const part of parts) {
    if (typeof part === 'number') {
      hash = Math.imul(hash ^ part, 0x01000193);
      hash ^= hash >>> 15;
    } else {
      for (let i = 0; i < part.length; i++) hash = Math.imul(hash ^ part.charCodeAt(i), 0x01000193);
    }
    hash = Math.imul(hash ^ 0x1f, 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
