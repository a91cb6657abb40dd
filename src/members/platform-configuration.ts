import { capabilities } from '../contract/enumerations.ts';
import type { BilingualText } from '../contract/language.ts';
import { isObject } from '../kernel/json-object.ts';
import { Problem } from '../kernel/problem.ts';
import { memberLimits } from './limits.ts';
import type { Platform } from './store/entities.ts';

/** Realm of platforms that declare none. */
export const mainRealm = 'main';

/** A platform as a configuration declares it. */
export interface PlatformDeclaration extends Omit<Platform, 'id' | 'disabled' | 'cookieDomain'> {
  /** Null if absent: then the origins decide. */
  readonly cookieDomain: boolean | null;
  /** Null if absent: a platform that an operator disabled stays disabled at the next start. */
  readonly disabled: boolean | null;
}

/** Reads `{"platforms": [{"code": "books", …}, …]}`. Throws one `Problem` that lists every fault. */
export function readPlatformConfiguration(configuration: unknown): readonly PlatformDeclaration[] {
  const platforms = isObject(configuration) ? configuration['platforms'] : undefined;
  if (!Array.isArray(platforms)) {
    throw refusedDeclaration([fault('/platforms', texts.noList('platforms'))]);
  }
  if (platforms.length > memberLimits.platformsMax) {
    throw refusedDeclaration([fault('/platforms', texts.tooMany('platforms'))]);
  }
  const faults: DeclarationFault[] = [];
  const declarations = platforms.map((platform: unknown, at) => {
    const place = `/platforms/${at}`;
    const found: DeclarationFault[] = [];
    const declaration = readPlatform(platform, found);
    for (const { pointer, text } of found) {
      const [ko, en] = [`${place}${pointer}: ${text.ko}`, `${place}${pointer}: ${text.en}`];
      faults.push(fault(`${place}${pointer}`, { ko, en }));
    }
    return declaration;
  });
  const codes = declarations.map(({ code }) => code);
  for (const code of codes.filter((each, at) => codes.indexOf(each) !== at)) {
    faults.push(fault('/platforms', texts.declaredTwice(code)));
  }
  if (faults.length > 0) throw refusedDeclaration(faults);
  return declarations;
}

/**
 * Reads `{"code": "books", "origins": ["https://books.example.com"], …}`. Throws one `Problem` that lists every fault.
 */
export function readPlatformDeclaration(declared: unknown): PlatformDeclaration {
  const faults: DeclarationFault[] = [];
  const declaration = readPlatform(declared, faults);
  if (faults.length > 0) throw refusedDeclaration(faults);
  return declaration;
}

interface DeclarationFault {
  readonly pointer: string;
  readonly text: BilingualText;
}

/** 422 `validation_failed`, with each fault beside its property. */
export function refusedDeclaration(faults: readonly DeclarationFault[]): Problem {
  const code = 'validation_failed';
  const detail = {
    ko: faults.map(({ text }) => text.ko).join('\n'),
    en: faults.map(({ text }) => text.en).join('\n'),
  };
  const errors = faults.map(({ pointer, text }) => ({ pointer, code, message: text, fix: text }));
  return new Problem(code, detail, { errors });
}

/** Reads a platform and adds its faults to `faults`. Defaults: realm `main`, assurance `trusted`. */
function readPlatform(declared: unknown, faults: DeclarationFault[]): PlatformDeclaration {
  const given = isObject(declared) ? declared : {};
  const refuse = (name: string, text: BilingualText) => faults.push(fault(`/${name}`, text));
  const code = typeof given['code'] === 'string' ? given['code'] : '';
  if (!/^[a-z][a-z0-9_-]{1,31}$/.test(code)) refuse('code', texts.code);
  for (const name of Object.keys(given)) {
    if (!properties.includes(name)) refuse(name, texts.unknownProperty(name));
  }
  const realm = given['realm'] ?? mainRealm;
  if (typeof realm !== 'string' || !/^[a-z][a-z0-9_-]{0,31}$/.test(realm)) {
    refuse('realm', texts.realm);
  }
  const assurance = given['assurance'] ?? 'trusted';
  if (assurance !== 'trusted' && assurance !== 'asserted') refuse('assurance', texts.assurance);
  return {
    code,
    name: typeof given['name'] === 'string' ? given['name'].slice(0, 100) : code,
    realm: typeof realm === 'string' ? realm : '',
    assurance: assurance === 'asserted' ? 'asserted' : 'trusted',
    origins: textsOf(given['origins'], 'origins', refuse, originFault),
    capabilities: textsOf(given['capabilities'], 'capabilities', refuse, capabilityFault),
    cookieDomain: flagOf(given['cookie_domain'], null, 'cookie_domain', refuse),
    company: companyOf(given['company'], refuse),
    pageStats: flagOf(given['page_stats'], true, 'page_stats', refuse),
    disabled: flagOf(given['disabled'], null, 'disabled', refuse),
  };
}

type Refuse = (name: string, text: BilingualText) => void;

function fault(pointer: string, text: BilingualText): DeclarationFault {
  return { pointer, text };
}

/** Origins are compared as whole strings, so one must be written as a browser writes it. */
function originFault(text: string): BilingualText | null {
  const parsed = URL.parse(text);
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) return texts.noOrigin(text);
  if (text.includes('*')) return texts.wildcard(text);
  return parsed.origin === text ? null : texts.otherOrigin(text, parsed.origin);
}

function capabilityFault(text: string): BilingualText | null {
  return (capabilities as readonly string[]).includes(text) ? null : texts.noCapability(text);
}

function textsOf(
  value: unknown,
  name: string,
  refuse: Refuse,
  faultOf: (text: string) => BilingualText | null,
): readonly string[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    refuse(name, texts.noList(name));
    return [];
  }
  const list: readonly unknown[] = value;
  if (list.length > memberLimits.originsPerPlatformMax) refuse(name, texts.tooMany(name));
  return list.flatMap((entry) => {
    const text = typeof entry === 'string' ? faultOf(entry) : texts.noString(name, entry);
    if (text !== null) refuse(name, text);
    return typeof entry === 'string' && text === null ? [entry] : [];
  });
}

function companyOf(value: unknown, refuse: Refuse): string | null {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value === 'string' && value.isWellFormed() && value.length <= 100) return value;
  refuse('company', texts.company);
  return null;
}

function flagOf<Fallback extends boolean | null>(
  value: unknown,
  fallback: Fallback,
  name: string,
  refuse: Refuse,
): boolean | Fallback {
  if (value === undefined) return fallback;
  if (typeof value !== 'boolean') refuse(name, texts.noFlag(name));
  return value === true;
}

const properties: readonly string[] = [
  'code',
  'name',
  'realm',
  'assurance',
  'origins',
  'capabilities',
  'cookie_domain',
  'page_stats',
  'company',
  'disabled',
];

const texts = {
  code: {
    ko: '코드는 영어 소문자로 시작해 소문자, 숫자, -, _로 2~32자여야 합니다.',
    en: 'The code must have 2 to 32 lower-case letters, digits, - and _, starting with a letter.',
  },
  realm: {
    ko: '회원 영역은 영어 소문자로 시작해 소문자, 숫자, -, _로 32자 이하여야 합니다.',
    en: 'The realm must have up to 32 lower-case letters, digits, - and _, starting with a letter.',
  },
  assurance: {
    ko: 'assurance는 "trusted" 또는 "asserted"여야 합니다.',
    en: 'The assurance must be "trusted" or "asserted".',
  },
  company: {
    ko: 'company는 100자 이하의 회사 이름이어야 합니다.',
    en: 'The company must be a name of up to 100 characters.',
  },
  unknownProperty: (name: string) => ({
    ko: `"${name}"은(는) 없는 속성입니다.`,
    en: `There is no property "${name}".`,
  }),
  noList: (name: string) => ({
    ko: `"${name}"은(는) 목록이어야 합니다.`,
    en: `There must be a list "${name}".`,
  }),
  tooMany: (name: string) => ({
    ko: `"${name}"의 항목이 너무 많습니다.`,
    en: `"${name}" has too many entries.`,
  }),
  noString: (name: string, entry: unknown) => ({
    ko: `"${name}"의 ${JSON.stringify(entry)}은(는) 문자열이 아닙니다.`,
    en: `${JSON.stringify(entry)} in "${name}" is not a string.`,
  }),
  noOrigin: (text: string) => ({
    ko: `"${text}"은(는) http 또는 https 출처가 아닙니다.`,
    en: `"${text}" is not an http or https origin.`,
  }),
  wildcard: (text: string) => ({
    ko: `"${text}"에는 *를 쓸 수 없습니다. 출처를 하나씩 적으세요.`,
    en: `"${text}" has a *, which matches nothing. List each origin.`,
  }),
  otherOrigin: (text: string, origin: string) => ({
    ko: `"${text}"은(는) ${origin}(으)로 적어야 합니다.`,
    en: `"${text}" must be written ${origin}.`,
  }),
  noCapability: (text: string) => ({
    ko: `"${text}"은(는) 없는 기능입니다. 사용 가능: ${capabilities.join(', ')}`,
    en: `"${text}" is not a capability. Available: ${capabilities.join(', ')}`,
  }),
  noFlag: (name: string) => ({
    ko: `"${name}"은(는) true 또는 false여야 합니다.`,
    en: `"${name}" must be true or false.`,
  }),
  declaredTwice: (code: string) => ({
    ko: `코드 "${code}"이(가) 두 번 선언되었습니다.`,
    en: `The code "${code}" is declared twice.`,
  }),
};
