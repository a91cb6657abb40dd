import type { ConsentPurpose } from './store/consent-entities.ts';
import type { EntitlementPolicy, Platform } from './store/entities.ts';
import type { MemberStore } from './store/store.ts';

/**
 * Cache of the platforms, the policy of entitlements and the purposes of consents. It is read again once any process
 * has changed one of them.
 */
export class PlatformDirectory {
  readonly #store: MemberStore;
  #version = -1;
  #list: PlatformList = { all: [], policy: { codes: null, tiers: {} } };
  #purposes: readonly ConsentPurpose[] = [];
  #byId: ReadonlyMap<number, Platform> = new Map();
  #byCode: ReadonlyMap<string, Platform> = new Map();

  constructor(store: MemberStore) {
    this.#store = store;
  }

  async byId(id: number): Promise<Platform | null> {
    await this.#refresh();
    return this.#byId.get(id) ?? null;
  }

  async byCode(code: string): Promise<Platform | null> {
    await this.#refresh();
    return this.#byCode.get(code) ?? null;
  }

  async all(): Promise<readonly Platform[]> {
    return (await this.#latest()).all;
  }

  /** Platforms and policy. A caller that has read their `version` along with other data saves a statement. */
  at(version: number): PlatformList | Promise<PlatformList> {
    return version === this.#version ? this.#list : this.#latest();
  }

  /** The list as read last, for a caller that has just read a platform from it. */
  get lastRead(): PlatformList {
    return this.#list;
  }

  async policy(): Promise<EntitlementPolicy> {
    return (await this.#latest()).policy;
  }

  /** Purposes of consents; none if the operator defined none. */
  async consentPurposes(): Promise<readonly ConsentPurpose[]> {
    await this.#refresh();
    return this.#purposes;
  }

  /** Enabled platforms of a page's origin, which is compared as a whole. */
  async byOrigin(origin: string): Promise<readonly Platform[]> {
    const all = await this.all();
    return all.filter((platform) => !platform.disabled && platform.origins.includes(origin));
  }

  /** Codes of the platforms in a mask. */
  async codes(mask: number): Promise<readonly string[]> {
    return codesOf(await this.all(), mask);
  }

  async #latest(): Promise<PlatformList> {
    await this.#refresh();
    return this.#list;
  }

  async #refresh(): Promise<void> {
    const version = await this.#store.read.platforms.version();
    if (version === this.#version) return;
    const all = await this.#store.read.platforms.all();
    const policy = await this.#store.read.entitlements.policy();
    this.#purposes = await this.#store.read.consents.purposes();
    this.#list = { all, policy };
    this.#byId = new Map(all.map((platform) => [platform.id, platform]));
    this.#byCode = new Map(all.map((platform) => [platform.code, platform]));
    this.#version = version;
  }
}

/** All platforms and the policy of entitlements, of one version. */
interface PlatformList {
  readonly all: readonly Platform[];
  readonly policy: EntitlementPolicy;
}

/** Codes of the platforms in a mask, in the order of the list. */
export function codesOf(platforms: readonly Platform[], mask: number): readonly string[] {
  return platforms.filter(({ id }) => (mask & (1 << id)) !== 0).map(({ code }) => code);
}
