import type { BilingualText } from '../contract/language.ts';
import { isObject } from '../kernel/json-object.ts';
import { audit, type Operator } from './audit.ts';
import type { MemberContext } from './context.ts';
import { isCode } from './entitlements.ts';
import { memberLimits } from './limits.ts';
import { refusedDeclaration } from './platform-configuration.ts';
import type { EntitlementPolicy } from './store/entities.ts';

/** Parts of the policy that a configuration declares; an absent part stays as it is. */
type DeclaredPolicy = Partial<EntitlementPolicy>;

/**
 * Reads `{"entitlements": ["archive", …], "tiers": {"GOLD": {"entitlements": ["archive"]}}}`; `"entitlements": null`
 * allows any code. Throws one `Problem` that lists every fault.
 */
export function readEntitlementPolicy(configuration: unknown): DeclaredPolicy {
  const given = isObject(configuration) ? configuration : {};
  const faults: Parameters<typeof refusedDeclaration>[0][number][] = [];
  const refuse = (pointer: string, text: BilingualText) => void faults.push({ pointer, text });
  const codes = given['entitlements'];
  const policy: DeclaredPolicy = {
    ...(codes === undefined ? {} : { codes: readCodes(codes, refuse) }),
    ...(given['tiers'] === undefined ? {} : { tiers: readTiers(given['tiers'], refuse) }),
  };
  if (policy.tiers && policy.codes) requireKnown(policy.tiers, policy.codes, refuse);
  if (faults.length > 0) throw refusedDeclaration(faults);
  return policy;
}

/** Stores the declared parts of the policy. Members have the new defaults of their tier from the next request on. */
export async function declareEntitlements(
  context: MemberContext,
  declared: DeclaredPolicy,
  operator: Operator,
): Promise<void> {
  await context.store.write(async (tx) => {
    const current = await tx.entitlements.policy();
    const wanted = { ...current, ...declared };
    if (JSON.stringify(wanted) === JSON.stringify(current)) return;
    // Checked again, since one of the parts may have been declared earlier.
    if (wanted.codes !== null) requireKnown(wanted.tiers, wanted.codes, refuseAtOnce);
    await tx.entitlements.putPolicy(wanted);
    const entry = { action: 'entitlements_declared', subject: 'entitlements', detail: wanted };
    await audit(context, tx, operator, entry);
  });
}

function refuseAtOnce(pointer: string, text: BilingualText): never {
  throw refusedDeclaration([{ pointer, text }]);
}

type Refuse = (pointer: string, text: BilingualText) => void;

function readCodes(value: unknown, refuse: Refuse): readonly string[] | null {
  return value === null ? null : codesOf(value, '/entitlements', refuse);
}

function readTiers(value: unknown, refuse: Refuse): EntitlementPolicy['tiers'] {
  if (!isObject(value)) {
    refuse('/tiers', texts.tiersNotObject);
    return {};
  }
  const entries = Object.entries(value);
  if (entries.length > memberLimits.tiersMax)
    refuse('/tiers', texts.tooMany(memberLimits.tiersMax));
  const tiers = entries.map(([tier, defaults]) => {
    const pointer = `/tiers/${tier}`;
    if (!/^[A-Z][A-Z0-9_]{0,31}$/.test(tier)) refuse(pointer, texts.tier(tier));
    const codes = isObject(defaults) ? defaults['entitlements'] : undefined;
    return [tier, codesOf(codes, `${pointer}/entitlements`, refuse)] as const;
  });
  return Object.fromEntries(tiers.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** The codes of a list, sorted and without repetitions. */
function codesOf(value: unknown, pointer: string, refuse: Refuse): readonly string[] {
  if (!Array.isArray(value)) {
    refuse(pointer, texts.notList(pointer));
    return [];
  }
  const codes: readonly unknown[] = value;
  const most = memberLimits.entitlementCodesMax;
  if (codes.length > most) refuse(pointer, texts.tooMany(most));
  for (const code of codes) {
    if (typeof code !== 'string' || !isCode(code)) refuse(pointer, texts.code(code));
  }
  return [...new Set(codes.filter((code) => typeof code === 'string'))].sort();
}

function requireKnown(
  tiers: EntitlementPolicy['tiers'],
  codes: readonly string[],
  refuse: Refuse,
): void {
  for (const [tier, defaults] of Object.entries(tiers)) {
    for (const code of defaults.filter((each) => !codes.includes(each))) {
      refuse(`/tiers/${tier}/entitlements`, texts.unknown(tier, code));
    }
  }
}

const texts = {
  tiersNotObject: {
    ko: '"tiers"는 등급 이름을 속성으로 가진 객체여야 합니다.',
    en: '"tiers" must be an object with the names of tiers as its properties.',
  },
  tier: (tier: string) => ({
    ko: `"${tier}"은(는) 등급 이름이 아닙니다. GOLD처럼 대문자로 적으세요.`,
    en: `"${tier}" is not the name of a tier. Write it in capital letters, such as GOLD.`,
  }),
  notList: (pointer: string) => ({
    ko: `${pointer}은(는) 이용권 코드의 목록이어야 합니다.`,
    en: `${pointer} must be a list of codes of entitlements.`,
  }),
  code: (code: unknown) => ({
    ko: `${JSON.stringify(code)}은(는) 이용권 코드가 아닙니다. 영어 소문자, 숫자, ., -, _로 64자 이내로 적으세요.`,
    en: `${JSON.stringify(code)} is not a code of an entitlement. Write up to 64 lower-case letters, digits, dots, - and _.`,
  }),
  unknown: (tier: string, code: string) => ({
    ko: `등급 ${tier}의 "${code}"이(가) "entitlements" 목록에 없습니다.`,
    en: `"${code}" of the tier ${tier} is not in the list "entitlements".`,
  }),
  tooMany: (most: number) => ({
    ko: `항목이 너무 많습니다. ${most}개까지 적을 수 있습니다.`,
    en: `There are too many entries; the maximum is ${most}.`,
  }),
};
