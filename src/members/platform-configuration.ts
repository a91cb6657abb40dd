import { isObject } from '../kernel/json-object.ts';
import { memberLimits } from './limits.ts';
import type { Platform } from './store/entities.ts';

/** A platform as a configuration declares it. */
export interface PlatformDeclaration extends Omit<Platform, 'id' | 'disabled'> {
  /** Null where it says nothing: a platform that an operator has stopped stays so at the next start. */
  readonly disabled: boolean | null;
}

/**
 * Reads `{"platforms": [{"code": "books", "origins": ["https://books.example.com"], …}]}`. What is left out:
 * realm `main`, assurance `trusted`, in the cookie domain. Throws one `Error` that lists every fault.
 */
export function readPlatformConfiguration(configuration: unknown): readonly PlatformDeclaration[] {
  const faults: string[] = [];
  const platforms = isObject(configuration) ? configuration['platforms'] : undefined;
  if (!Array.isArray(platforms)) {
    throw new Error('The configuration must be an object with a list "platforms".');
  }
  if (platforms.length > memberLimits.platformsMax) {
    throw new Error(`At most ${memberLimits.platformsMax} platforms can be declared.`);
  }
  const read = platforms.map((platform: unknown, at) => readPlatform(platform, at, faults));
  const codes = read.map(({ code }) => code);
  const twice = codes.filter((code, at) => codes.indexOf(code) !== at);
  for (const code of twice) faults.push(`The code "${code}" is declared twice.`);
  if (faults.length > 0) throw new Error(faults.join('\n'));
  return read;
}

/** What a platform may be able to do beyond the rest. */
export const capabilities = ['card_issuer'] as const;

function readPlatform(declared: unknown, at: number, faults: string[]): PlatformDeclaration {
  const given = isObject(declared) ? declared : {};
  const code = typeof given['code'] === 'string' ? given['code'] : '';
  const place = code === '' ? `platforms[${at}]` : `The platform "${code}"`;
  const fault = (text: string) => faults.push(`${place} ${text}`);
  if (!/^[a-z][a-z0-9_-]{1,31}$/.test(code)) {
    fault('needs a "code" of 2 to 32 lower-case letters, digits, - and _, a letter first.');
  }
  for (const name of Object.keys(given)) {
    if (!properties.includes(name)) fault(`has an unknown property "${name}".`);
  }
  const realm = given['realm'] ?? 'main';
  if (typeof realm !== 'string' || !/^[a-z][a-z0-9_-]{0,31}$/.test(realm)) {
    fault('has a "realm" that is no name of lower-case letters, digits, - and _.');
  }
  const assurance = given['assurance'] ?? 'trusted';
  if (assurance !== 'trusted' && assurance !== 'asserted') {
    fault('has an "assurance" that is neither "trusted" nor "asserted".');
  }
  return {
    code,
    name: typeof given['name'] === 'string' ? given['name'].slice(0, 100) : code,
    realm: typeof realm === 'string' ? realm : '',
    assurance: assurance === 'asserted' ? 'asserted' : 'trusted',
    origins: textsOf(given['origins'], 'origins', fault, originFault),
    capabilities: textsOf(given['capabilities'], 'capabilities', fault, capabilityFault),
    cookieDomain: flagOf(given['cookie_domain'], true, 'cookie_domain', fault),
    disabled: flagOf(given['disabled'], null, 'disabled', fault),
  };
}

/** An origin is compared as a whole, so it must be written as a browser writes it. */
function originFault(text: string): string | null {
  const parsed = URL.parse(text);
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) return 'is no http(s) origin';
  return parsed.origin === text ? null : `must be written ${parsed.origin}`;
}

function capabilityFault(text: string): string | null {
  return (capabilities as readonly string[]).includes(text)
    ? null
    : `is none of ${capabilities.join(', ')}`;
}

function textsOf(
  value: unknown,
  name: string,
  fault: (text: string) => void,
  check: (text: string) => string | null,
): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  if (value !== undefined && !Array.isArray(value)) fault(`has "${name}" that is no list.`);
  if (list.length > memberLimits.originsPerPlatformMax) fault(`has too many "${name}".`);
  return list.flatMap((entry) => {
    const wrong = typeof entry === 'string' ? check(entry) : 'is no text';
    if (wrong !== null) fault(`has ${JSON.stringify(entry)} in "${name}", which ${wrong}.`);
    return typeof entry === 'string' && wrong === null ? [entry] : [];
  });
}

function flagOf<Fallback extends boolean | null>(
  value: unknown,
  fallback: Fallback,
  name: string,
  fault: (text: string) => void,
): boolean | Fallback {
  if (value === undefined) return fallback;
  if (typeof value !== 'boolean') fault(`has "${name}" that is neither true nor false.`);
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
  'disabled',
];
