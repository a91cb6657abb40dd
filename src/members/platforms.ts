import { audit, type Operator } from './audit.ts';
import type { MemberContext } from './context.ts';
import { memberLimits } from './limits.ts';
import { refusedDeclaration, type PlatformDeclaration } from './platform-configuration.ts';
import type { Problem } from '../kernel/problem.ts';
import { invalid } from './problem.ts';
import { isUnderCookieDomain } from './sso-platform.ts';
import type { Platform } from './store/entities.ts';

/** Adds and changes platforms to match the declarations; other platforms stay as they are. Returns all platforms. */
export async function declarePlatforms(
  context: MemberContext,
  declarations: readonly PlatformDeclaration[],
  operator: Operator,
): Promise<readonly Platform[]> {
  await context.store.write(async (tx) => {
    const known = await tx.platforms.all();
    let next = known.reduce((id, platform) => Math.max(id, platform.id + 1), 0);
    for (const declaration of declarations) {
      const platform = known.find(({ code }) => code === declaration.code);
      const disabled = declaration.disabled ?? platform?.disabled ?? false;
      if (declaration.cookieDomain === true) refuseOutsideCookieDomain(context, declaration);
      const cookieDomain = declaration.cookieDomain ?? true;
      const wanted = { ...declaration, cookieDomain, disabled, id: platform?.id ?? next++ };
      if (platform !== undefined && comparableText(platform) === comparableText(wanted)) continue;
      refuseImpossible(platform, wanted);
      await tx.platforms.put(wanted);
      const isStopped = disabled && platform?.disabled === false;
      const isDistrusted = wanted.assurance === 'asserted' && platform?.assurance === 'trusted';
      if (isStopped || isDistrusted) await tx.sessions.endOfPlatform(wanted.id, null);
      const { name: _name, ...detail } = declaration;
      const action = platform === undefined ? 'platform_added' : 'platform_changed';
      await audit(context, tx, operator, { action, subject: declaration.code, detail });
    }
  });
  return context.platforms.all();
}

/**
 * Disables or enables a platform. Keys of a disabled one are refused from the next request on, and its sessions end.
 */
export async function setPlatformDisabled(
  context: MemberContext,
  code: string,
  disabled: boolean,
  operator: Operator,
): Promise<void> {
  await context.store.write(async (tx) => {
    const platform = (await tx.platforms.all()).find((one) => one.code === code);
    if (platform === undefined) throw unknownPlatform();
    await tx.platforms.put({ ...platform, disabled });
    if (disabled) await tx.sessions.endOfPlatform(platform.id, null);
    const action = disabled ? 'platform_disabled' : 'platform_enabled';
    await audit(context, tx, operator, { action, subject: code });
  });
}

export function unknownPlatform(): Problem {
  return invalid(
    'unknown_platform',
    '/platform',
    { ko: '등록되지 않은 플랫폼 코드입니다.', en: 'No platform with this code is registered.' },
    { ko: '운영자에게 받은 코드를 보내세요.', en: 'Send the code that the operator gave you.' },
  );
}

function refuseImpossible(before: Platform | undefined, wanted: Platform): void {
  if (wanted.id >= memberLimits.platformsMax) {
    throw refusedDeclaration([
      {
        pointer: '/code',
        text: {
          ko: `플랫폼은 ${memberLimits.platformsMax}개까지 등록할 수 있습니다.`,
          en: `There can be at most ${memberLimits.platformsMax} platforms.`,
        },
      },
    ]);
  }
  // Members are unique within a realm: in another realm the same users would be other members.
  if (before !== undefined && before.realm !== wanted.realm) {
    throw refusedDeclaration([
      {
        pointer: '/realm',
        text: {
          ko: `플랫폼 ${wanted.code}의 회원 영역은 ${before.realm}에서 ${wanted.realm}(으)로 바꿀 수 없습니다. 새 플랫폼을 추가하세요.`,
          en: `The platform ${wanted.code} is in the realm ${before.realm} and cannot move to ${wanted.realm}. Add a new platform there.`,
        },
      },
    ]);
  }
}

function refuseOutsideCookieDomain(
  context: MemberContext,
  { code, origins }: PlatformDeclaration,
): void {
  if (isUnderCookieDomain(context, origins)) return;
  throw refusedDeclaration([
    {
      pointer: '/cookie_domain',
      text: {
        ko: `플랫폼 ${code}의 출처가 모두 쿠키 도메인 밖에 있습니다. cookie_domain을 빼거나 false로 적으세요.`,
        en: `No origin of the platform ${code} is under the cookie domain. Leave out cookie_domain, or declare false.`,
      },
    },
  ]);
}

function comparableText(platform: Platform): string {
  const { id, code, name, realm, assurance, origins, capabilities } = platform;
  const { cookieDomain, pageStats, company, disabled } = platform;
  return JSON.stringify([
    id,
    code,
    name,
    realm,
    assurance,
    origins,
    capabilities,
    cookieDomain,
    pageStats,
    company,
    disabled,
  ]);
}
