import { isObject } from '../kernel/json-object.ts';
import type { BilingualText } from '../contract/language.ts';
import { audit, type Operator } from './audit.ts';
import { momentOf } from './body.ts';
import type { MemberContext } from './context.ts';
import { isPurposeCode } from './consent-purpose.ts';
import { memberLimits } from './limits.ts';
import { refusedDeclaration } from './platform-configuration.ts';
import { sha256 } from './sha256.ts';
import type { ConsentPurpose } from './store/consent-entities.ts';

/**
 * Reads `{"consents": [{"code": "marketing", "name": {"ko": …, "en": …}, "versions": [{"version", "text" or "sha256",
 * "effective"}], "required", "marketing", "retired", "recipients": {"platforms", "realms"}}]}`; none if absent. Throws one
 * `Problem` that lists every fault.
 */
export function readConsentPurposes(configuration: unknown): readonly ConsentPurpose[] {
  const declared = isObject(configuration) ? configuration['consents'] : undefined;
  if (declared === undefined) return [];
  const faults: Fault[] = [];
  const list = listOf(declared, memberLimits.consentPurposesMax, '/consents', faults);
  const purposes = list.map((each, at) => readPurpose(each, `/consents/${at}`, faults));
  const codes = purposes.map(({ code }) => code);
  for (const code of codes.filter((each, at) => codes.indexOf(each) !== at)) {
    faults.push({ pointer: '/consents', text: texts.twice(code) });
  }
  if (faults.length > 0) throw refusedDeclaration(faults);
  return purposes;
}

/** Reads one purpose. Throws one `Problem` that lists every fault. */
export function readConsentPurpose(declared: unknown): ConsentPurpose {
  const faults: Fault[] = [];
  const purpose = readPurpose(declared, '', faults);
  if (faults.length > 0) throw refusedDeclaration(faults);
  return purpose;
}

/**
 * Adds and changes purposes. Purposes and versions that the declaration leaves out stay, because stored consents refer
 * to them. 422 `validation_failed` if a known version gets another text.
 */
export async function declareConsentPurposes(
  context: MemberContext,
  declared: readonly ConsentPurpose[],
  operator: Operator,
): Promise<void> {
  if (declared.length === 0) return;
  await context.store.write(async (tx) => {
    const current = await tx.consents.purposes();
    const platforms = (await tx.platforms.all()).map(({ code }) => code);
    const faults: Fault[] = [];
    for (const purpose of declared) {
      const known = current.find(({ code }) => code === purpose.code);
      for (const code of purpose.recipients?.platforms ?? []) {
        if (!platforms.includes(code)) faults.push(fault('/recipients', texts.noPlatform(code)));
      }
      const wanted = known === undefined ? purpose : merged(known, purpose, faults);
      if (Buffer.byteLength(JSON.stringify(wanted)) > memberLimits.consentPurposeBytesMax)
        faults.push(fault('/versions', texts.tooLong(purpose.code)));
      if (wanted.versions.length > memberLimits.consentVersionsMax)
        faults.push(fault('/versions', texts.tooMany(memberLimits.consentVersionsMax)));
      if (faults.length > 0 || JSON.stringify(wanted) === JSON.stringify(known)) continue;
      await tx.consents.putPurpose(wanted);
      const { code, name: _name, versions, ...rest } = wanted;
      const detail = { ...rest, versions: versions.map(({ text: _text, ...version }) => version) };
      await audit(context, tx, operator, { action: 'purpose_declared', subject: code, detail });
    }
    const codes = new Set([...current, ...declared].map(({ code }) => code));
    if (codes.size > memberLimits.consentPurposesMax)
      faults.push(fault('/consents', texts.tooMany(memberLimits.consentPurposesMax)));
    if (faults.length > 0) throw refusedDeclaration(faults);
  });
}

interface Fault {
  readonly pointer: string;
  readonly text: BilingualText;
}

type Version = ConsentPurpose['versions'][number];

function fault(pointer: string, text: BilingualText): Fault {
  return { pointer, text };
}

/** The declared purpose with its stored versions added. */
function merged(known: ConsentPurpose, declared: ConsentPurpose, faults: Fault[]): ConsentPurpose {
  const added: Version[] = [];
  const versions = known.versions.map((before) => {
    const redeclared = declared.versions.find(({ version }) => version === before.version);
    if (redeclared === undefined) return before;
    if (redeclared.sha256 !== before.sha256 || redeclared.effectiveAt !== before.effectiveAt) {
      faults.push(fault('/versions', texts.changed(declared.code, before.version)));
    }
    return { ...before, text: redeclared.text ?? before.text };
  });
  for (const version of declared.versions) {
    if (!versions.some((each) => each.version === version.version)) added.push(version);
  }
  return { ...declared, versions: sorted([...versions, ...added]) };
}

function sorted(versions: readonly Version[]): readonly Version[] {
  return versions.toSorted((a, b) => a.effectiveAt - b.effectiveAt);
}

function readPurpose(declared: unknown, place: string, faults: Fault[]): ConsentPurpose {
  const given = isObject(declared) ? declared : {};
  const refuse = (name: string, text: BilingualText) =>
    void faults.push(fault(`${place}/${name}`, text));
  for (const name of Object.keys(given)) {
    if (!properties.includes(name)) refuse(name, texts.unknownProperty(name));
  }
  const code = typeof given['code'] === 'string' ? given['code'] : '';
  if (!isPurposeCode(code)) refuse('code', texts.code);
  const { ko, en } = isObject(given['name']) ? given['name'] : {};
  if (!isName(ko) || !isName(en)) refuse('name', texts.name);
  const flag = (name: 'required' | 'marketing' | 'retired') => {
    const value = given[name] ?? false;
    if (typeof value !== 'boolean') refuse(name, texts.noFlag(name));
    return value === true;
  };
  const most = memberLimits.consentVersionsMax;
  const list = listOf(given['versions'] ?? [], most, `${place}/versions`, faults);
  const versions = list.map((each, at) => readVersion(each, `${place}/versions/${at}`, faults));
  const names = versions.map(({ version }) => version);
  for (const name of names.filter((each, at) => names.indexOf(each) !== at)) {
    refuse('versions', texts.twice(name));
  }
  return {
    code,
    name: { ko: isName(ko) ? ko : '', en: isName(en) ? en : '' },
    required: flag('required'),
    marketing: flag('marketing'),
    retired: flag('retired'),
    recipients: readRecipients(given['recipients'], `${place}/recipients`, faults),
    versions: sorted(versions),
  };
}

function readVersion(declared: unknown, place: string, faults: Fault[]): Version {
  const { version, text, sha256: hash, effective } = isObject(declared) ? declared : {};
  const effectiveAt = momentOf(effective);
  const digest = typeof text === 'string' ? sha256(text).toString('hex') : hash;
  const isHash = typeof digest === 'string' && /^[0-9a-f]{64}$/.test(digest);
  const isText = text === undefined || (typeof text === 'string' && text.isWellFormed());
  if (typeof version !== 'string' || !/^[\w.:-]{1,64}$/.test(version))
    faults.push(fault(`${place}/version`, texts.version));
  if (effectiveAt === null) faults.push(fault(`${place}/effective`, texts.effective));
  if (!isHash || !isText || (hash !== undefined && hash !== digest))
    faults.push(fault(`${place}/text`, texts.noText));
  return {
    version: typeof version === 'string' ? version : '',
    text: typeof text === 'string' ? text : null,
    sha256: isHash ? digest : '',
    effectiveAt: effectiveAt ?? 0,
  };
}

function readRecipients(
  declared: unknown,
  place: string,
  faults: Fault[],
): ConsentPurpose['recipients'] {
  if (declared === undefined || declared === null) return null;
  const { platforms = [], realms = [] } = isObject(declared) ? declared : { platforms: null };
  const codes = [platforms, realms].map((list) => {
    const each = listOf(list, memberLimits.platformsMax, place, faults);
    const sound = each.filter((code) => typeof code === 'string');
    if (sound.length < each.length) faults.push(fault(place, texts.recipients));
    return [...new Set(sound)].sort();
  });
  if (codes.flat().length === 0) faults.push(fault(place, texts.recipients));
  return { platforms: codes[0]!, realms: codes[1]! };
}

function listOf(value: unknown, most: number, place: string, faults: Fault[]): readonly unknown[] {
  if (Array.isArray(value) && value.length <= most) return value;
  faults.push(fault(place, Array.isArray(value) ? texts.tooMany(most) : texts.noList(place)));
  return [];
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value.isWellFormed() && /^.{1,100}$/u.test(value);
}

const properties: readonly string[] = [
  'code',
  'name',
  'required',
  'marketing',
  'retired',
  'recipients',
  'versions',
];

const texts = {
  code: {
    ko: '동의 목적 코드는 영어 글자, 숫자, _, ., :, -로 64자 이내여야 합니다.',
    en: 'The code of a purpose must have up to 64 letters, digits, _, dots, colons and -.',
  },
  name: {
    ko: '"name"에는 100자 이내의 "ko"와 "en"이 있어야 합니다.',
    en: '"name" must have "ko" and "en" of up to 100 characters.',
  },
  version: {
    ko: '"version"은 영어 글자, 숫자, _, ., :, -로 64자 이내여야 합니다.',
    en: '"version" must have up to 64 letters, digits, _, dots, colons and -.',
  },
  effective: {
    ko: '"effective"는 2026-12-01T00:00:00+09:00처럼 시간대가 있는 시각이어야 합니다.',
    en: '"effective" must be a time with its offset, such as 2026-12-01T00:00:00+09:00.',
  },
  noText: {
    ko: '동의문 "text"나 그 SHA-256인 "sha256"이 있어야 하고, 둘 다 있으면 서로 맞아야 합니다.',
    en: 'There must be a "text" or its "sha256", and both must match.',
  },
  recipients: {
    ko: '"recipients"는 {"platforms": [코드], "realms": [회원 영역]}이고 하나 이상 적어야 합니다.',
    en: '"recipients" must be {"platforms": [codes], "realms": [names]} with at least one entry.',
  },
  unknownProperty: (name: string) => ({
    ko: `"${name}"은(는) 없는 속성입니다.`,
    en: `There is no property "${name}".`,
  }),
  noFlag: (name: string) => ({
    ko: `"${name}"은(는) true 또는 false여야 합니다.`,
    en: `"${name}" must be true or false.`,
  }),
  noList: (place: string) => ({
    ko: `${place}은(는) 목록이어야 합니다.`,
    en: `${place} must be a list.`,
  }),
  tooMany: (most: number) => ({
    ko: `항목이 너무 많습니다. ${most}개까지 적을 수 있습니다.`,
    en: `There are too many entries; the maximum is ${most}.`,
  }),
  tooLong: (code: string) => ({
    ko: `"${code}"의 동의문이 모두 ${memberLimits.consentPurposeBytesMax}바이트를 넘습니다. 긴 동의문은 "sha256"만 적으세요.`,
    en: `The texts of "${code}" exceed ${memberLimits.consentPurposeBytesMax} bytes. Declare long ones by "sha256" alone.`,
  }),
  twice: (name: string) => ({
    ko: `"${name}"이(가) 두 번 선언되었습니다.`,
    en: `"${name}" is declared twice.`,
  }),
  changed: (code: string, version: string) => ({
    ko: `"${code}"의 동의문 ${version}은(는) 바꿀 수 없습니다. 새 버전을 추가하세요.`,
    en: `The text ${version} of "${code}" cannot change. Add a new version.`,
  }),
  noPlatform: (code: string) => ({
    ko: `"${code}"은(는) 등록된 플랫폼이 아닙니다.`,
    en: `"${code}" is not a registered platform.`,
  }),
};
