import { audit, type Operator } from './audit.ts';
import type { MemberContext } from './context.ts';
import { memberLimits } from './limits.ts';
import type { PlatformDeclaration } from './platform-configuration.ts';
import { invalid, type MemberProblem } from './problem.ts';
import type { Platform } from './store/records.ts';
import type { MemberStore } from './store/store.ts';

/** The platforms as the store has them now: read again as soon as any process changed one. */
export class PlatformDirectory {
  readonly #store: MemberStore;
  #version = -1;
  #all: readonly Platform[] = [];
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
    await this.#refresh();
    return this.#all;
  }

  /** The same for whoever has read their version beside something else: a question less. */
  async allAt(version: number): Promise<readonly Platform[]> {
    return version === this.#version ? this.#all : this.all();
  }

  /** Platforms that a page of this origin belongs to: compared whole, as a browser writes it. */
  async byOrigin(origin: string): Promise<readonly Platform[]> {
    const all = await this.all();
    return all.filter((platform) => !platform.disabled && platform.origins.includes(origin));
  }

  /** The codes in a platform mask, by id. */
  async codes(mask: number): Promise<readonly string[]> {
    return codesOf(await this.all(), mask);
  }

  async #refresh(): Promise<void> {
    const version = await this.#store.read.platforms.version();
    if (version === this.#version) return;
    const all = await this.#store.read.platforms.all();
    this.#all = all;
    this.#byId = new Map(all.map((platform) => [platform.id, platform]));
    this.#byCode = new Map(all.map((platform) => [platform.code, platform]));
    this.#version = version;
  }
}

/** The codes of the platforms in a mask. */
export function codesOf(platforms: readonly Platform[], mask: number): readonly string[] {
  return platforms.filter(({ id }) => (mask & (1 << id)) !== 0).map(({ code }) => code);
}

/** Makes platforms what the configuration says; those it does not name stay as they are. Answers all of them. */
export async function declarePlatforms(
  context: MemberContext,
  declarations: readonly PlatformDeclaration[],
  operator: Operator,
): Promise<readonly Platform[]> {
  await context.store.write(async (records) => {
    const known = await records.platforms.all();
    let next = known.reduce((id, platform) => Math.max(id, platform.id + 1), 0);
    for (const declaration of declarations) {
      const platform = known.find(({ code }) => code === declaration.code);
      const disabled = declaration.disabled ?? platform?.disabled ?? false;
      const wanted = { ...declaration, disabled, id: platform?.id ?? next++ };
      if (platform !== undefined && sameText(platform) === sameText(wanted)) continue;
      refuseImpossible(platform, wanted);
      await records.platforms.put(wanted);
      const { name: _name, ...detail } = declaration;
      const action = platform === undefined ? 'platform_added' : 'platform_changed';
      await audit(context, records, operator, { action, subject: declaration.code, detail });
    }
  });
  return context.platforms.all();
}

/** Stops or restarts a platform: its keys are refused from the next request on. */
export async function setPlatformDisabled(
  context: MemberContext,
  code: string,
  disabled: boolean,
  operator: Operator,
): Promise<void> {
  await context.store.write(async (records) => {
    const platform = (await records.platforms.all()).find((one) => one.code === code);
    if (platform === undefined) throw unknownPlatform();
    await records.platforms.put({ ...platform, disabled });
    const action = disabled ? 'platform_disabled' : 'platform_enabled';
    await audit(context, records, operator, { action, subject: code });
  });
}

export function unknownPlatform(): MemberProblem {
  return invalid(
    'unknown_platform',
    '/platform',
    { ko: '등록되지 않은 플랫폼 코드입니다.', en: 'No platform of this code is registered.' },
    { ko: '운영자에게 받은 코드를 보내세요.', en: 'Send the code the operator gave you.' },
  );
}

function refuseImpossible(before: Platform | undefined, wanted: Platform): void {
  if (wanted.id >= memberLimits.platformsMax) {
    throw new Error(
      `There are ${memberLimits.platformsMax} platforms already, the most there can be.`,
    );
  }
  // Members are unique within a realm: in another one the same people would be others.
  if (before !== undefined && before.realm !== wanted.realm) {
    throw new Error(
      `The platform ${wanted.code} is in the realm ${before.realm} and cannot move to ${wanted.realm}: add a new platform there.`,
    );
  }
}

function sameText(platform: Platform): string {
  const { id, code, name, realm, assurance, origins, capabilities, cookieDomain, disabled } =
    platform;
  return JSON.stringify([
    id,
    code,
    name,
    realm,
    assurance,
    origins,
    capabilities,
    cookieDomain,
    disabled,
  ]);
}
