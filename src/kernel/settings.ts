import type { BilingualText } from '../contract/language.ts';
import { nearest } from './nearest.ts';

/**
 * Reads every setting from the environment; nothing else reads it.
 * Throws `SettingsError` with one line for each variable that is wrong or unknown.
 */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const faults = unknownNames(environment);
  const values: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries(settingsTable)) {
    const text = environment[name]?.trim() ?? '';
    const value = setting.read(text === '' ? setting.default : text);
    if (value instanceof Refusal) faults.push(`${name} ${value.reason}.`);
    else values[name] = value;
  }
  if (faults.length > 0) throw new SettingsError(faults);
  // The table names every property of Settings, and each reader returns the type its row declares.
  return values as unknown as Settings;
}

/** The settings by the names of their variables, such as `settings.MARU_DATA`. */
export type Settings = {
  readonly [Name in keyof typeof settingsTable]: Exclude<
    ReturnType<(typeof settingsTable)[Name]['read']>,
    Refusal
  >;
};

interface Setting<Value> {
  readonly kind: string;
  /** Spelling in the environment; empty if the setting is off by default. */
  readonly default: string;
  readonly help: BilingualText;
  readonly read: (text: string) => Value | Refusal;
}

/** All faults of the environment. */
export class SettingsError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.name = 'SettingsError';
    this.faults = faults;
  }
}

/** A valid setting with which the service would be unsafe. The process ends with 78 (EX_CONFIG). */
export class UnsafeSettingsError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnsafeSettingsError';
  }
}

/** A value that a setting does not accept. */
class Refusal {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

export const logLevels = ['debug', 'info', 'warning', 'error', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

export const settingsTable = {
  PORT: port('3000', {
    ko: '서비스 포트. 0이면 빈 포트를 고릅니다.',
    en: 'Port the services listen on; 0 takes a free one.',
  }),
  HOST: text('127.0.0.1', {
    ko: '서비스 주소. 다른 컴퓨터에도 열려면 0.0.0.0.',
    en: 'Address the services listen on; 0.0.0.0 opens them to other machines.',
  }),
  ADMIN_PORT: optionalPort({
    ko: '운영자 화면의 포트. 비우면 PORT+1. 이 컴퓨터에서만 접속할 수 있습니다.',
    en: 'Port of the operator’s listener, open to this machine only; PORT+1 when empty.',
  }),
  MARU_ADMIN_ORIGIN: adminOrigin({
    ko: '운영자 화면을 여는 주소. 비우면 http://localhost:<ADMIN_PORT>. 패스키는 이 주소에서만 쓸 수 있으며, https이거나 localhost여야 합니다.',
    en: 'Address at which operators open their pages; http://localhost:<ADMIN_PORT> when empty. Passkeys work there only, so it is https or localhost.',
  }),
  MARU_DATA: text('./var', {
    ko: '데이터 폴더.',
    en: 'Folder of all data.',
  }),
  MARU_SNAPSHOTS_URL: snapshotsUrl({
    ko: '스냅샷을 가져올 곳: s3://버킷/접두어, https://주소 또는 폴더. 정하면 serve가 데이터를 직접 만들지 않고 여기를 따라갑니다.',
    en: 'Where snapshots are pulled from: s3://bucket/prefix, an https:// address or a folder. With it `serve` builds no data itself and follows this store.',
  }),
  AWS_ENDPOINT_URL: url({
    ko: 'S3 호환 저장소의 주소. 비우면 AWS_REGION의 Amazon S3.',
    en: 'Address of a store with the API of S3; Amazon S3 in AWS_REGION when empty.',
  }),
  AWS_REGION: text('us-east-1', {
    ko: '버킷의 리전. Cloudflare R2는 auto, Garage는 garage.',
    en: 'Region of the bucket; auto for Cloudflare R2, garage for Garage.',
  }),
  AWS_ACCESS_KEY_ID: secret({
    ko: '버킷의 액세스 키 ID. 비우면 서명하지 않으며, 공개 버킷은 그대로 읽을 수 있습니다.',
    en: 'Id of the bucket’s access key. Without it requests are not signed, which public buckets accept for reading.',
  }),
  AWS_SECRET_ACCESS_KEY: secret({
    ko: '버킷의 비밀 액세스 키.',
    en: 'Secret access key of the bucket.',
  }),
  AWS_SESSION_TOKEN: secret({
    ko: '임시 자격 증명의 세션 토큰.',
    en: 'Session token of temporary credentials.',
  }),
  MARU_BASE_URL: url({
    ko: '외부에 공개하는 조회 서비스 주소. 문서의 예시에 쓰이며, /mcp는 이 이름으로 온 요청을 받습니다.',
    en: 'Public address of the lookup service, for the examples in the reference; /mcp accepts requests to its name.',
  }),
  MARU_SERVICE_KEY: secret({
    ko: '공공데이터포털 인증키(data.go.kr). Encoding·Decoding 어느 쪽이든 되며, 따옴표 없이 씁니다.',
    en: 'Service key of an account on data.go.kr, in either of its spellings, without quotes.',
  }),
  MARU_PORTAL_GATEWAY: url({
    ko: '포털과 네이버 검색어트렌드로 가는 모든 요청을 대신 받을 주소: <gateway>/<원래 호스트>/<경로>.',
    en: 'Proxy for every request to the portal and to Naver’s search trend API: <gateway>/<original host>/<path>.',
  }),
  MARU_NAVER_DOOR: choice(['hub', 'legacy'], 'hub', {
    ko: '네이버 검색어트렌드 API. hub는 네이버 클라우드 API HUB, legacy는 개발자센터(2027-06-30까지).',
    en: 'Provider of Naver’s search trend API: hub is API HUB of Naver Cloud, legacy the developer centre (until 2027-06-30).',
  }),
  MARU_NAVER_ID: secret({
    ko: '네이버 검색어트렌드 애플리케이션의 ID.',
    en: 'Id of the application for Naver’s search trend API.',
  }),
  MARU_NAVER_SECRET: secret({
    ko: '네이버 검색어트렌드 애플리케이션의 비밀 키.',
    en: 'Secret key of that application.',
  }),
  MARU_COLLECT: choice(['off', 'on'], 'off', {
    ko: 'on이면 serve가 축, 목록, 검색 수요를 각 주기에 맞춰 수집도 합니다.',
    en: 'on lets `serve` collect each axis, the catalog and the search demand by their own cycles.',
  }),
  MARU_MEMBERS_URL: url({
    ko: '외부에 공개하는 회원 서비스 주소. 비우면 이 컴퓨터에서만 쓰는 개발 모드입니다.',
    en: 'Public address of the members service. Empty means development mode on this machine.',
  }),
  MARU_COOKIE_DOMAIN: cookieDomain({
    ko: '통합 로그인 쿠키의 도메인. MARU_MEMBERS_URL이 그 아래에 있어야 합니다.',
    en: 'Domain of the single-sign-on cookies; MARU_MEMBERS_URL must be under it.',
  }),
  MARU_PREVIOUS_COOKIE_DOMAINS: list({
    ko: '이전에 쓰던 쿠키 도메인 목록(쉼표로 구분). 로그아웃할 때 함께 지웁니다.',
    en: 'Previously used cookie domains, comma-separated. Also cleared on logout.',
  }),
  DATABASE_URL: databaseUrl({
    ko: '회원 데이터를 저장할 PostgreSQL 주소. 비우면 데이터 폴더의 SQLite 파일에 저장합니다.',
    en: 'Address of a PostgreSQL database for members. Empty means an SQLite file in the data folder.',
  }),
  DATABASE_REPLICA_URL: databaseUrl({
    ko: '통계를 계산할 PostgreSQL 복제본 주소. 비우면 DATABASE_URL에서 계산합니다.',
    en: 'Address of a replica of that database, on which statistics are counted. Empty counts them on DATABASE_URL.',
  }),
  MARU_MEMBERS_CONFIG: optionalText({
    ko: '플랫폼과 이용권을 선언한 JSON 파일.',
    en: 'JSON file that declares the platforms and entitlements.',
  }),
  MARU_EVENT_DAYS: wholeNumber('0', 36_500, {
    ko: '회원 이벤트를 보관하는 날수. 지나면 지우고 합계와 활동일은 남깁니다. 0이면 지우지 않습니다.',
    en: 'Days to keep events of members; then they are removed, and totals and days of activity stay. 0 keeps all.',
  }),
  MARU_AUDIT_DAYS: wholeNumber('0', 36_500, {
    ko: '감사 기록을 보관하는 날수. 지나면 봉인된 구간의 기록을 지우고 봉인만 남깁니다. 0이면 지우지 않습니다.',
    en: 'Days to keep the audit log; then entries of sealed segments are removed and their seals stay. 0 keeps all.',
  }),
  MARU_ACCESS_LOG_DAYS: wholeNumber('731', 36_500, {
    ko: '운영자의 접속기록을 보관하는 날수. 0이면 지우지 않습니다. 안전성 확보조치 기준은 1년 이상, 5만 명 이상이면 2년 이상 보관하도록 정합니다.',
    en: 'Days to keep the access log of operators; 0 keeps all. Korea’s safety standard requires a year, or two from 50,000 members.',
  }),
  MARU_BACKUP_DAYS: wholeNumber('0', 36_500, {
    ko: '회원 데이터의 백업과 로그가 모두 없어지기까지의 날수. 삭제 확인서에 그 시각을 적습니다. 0이면 적지 않습니다.',
    en: 'Days after which every backup and log of the members is gone, for the receipts of erasures; 0 states none.',
  }),
  MARU_TRUSTED_PROXIES: list({
    ko: 'X-Forwarded-For를 신뢰할 프록시의 주소 또는 대역(쉼표로 구분).',
    en: 'Addresses or networks of proxies whose X-Forwarded-For is trusted, comma-separated.',
  }),
  MARU_RATE_SCALE: wholeNumber('1', 1_000_000, {
    ko: '호출 한도에 곱하는 배수. 0이면 한도를 두지 않습니다.',
    en: 'Factor for every rate limit of the members service; 0 disables them.',
  }),
  MARU_PROCESSES: wholeNumber(
    '1',
    1_000,
    {
      ko: '같은 호출을 나누어 받는 회원 서비스 프로세스 수. 호출 한도를 이 수로 나눕니다.',
      en: 'Number of members processes that share the calls; each admits that part of every rate limit.',
    },
    1,
  ),
  MARU_LOG: choice(logLevels, 'info', {
    ko: '로그 수준. 요청은 info에서 기록됩니다.',
    en: 'Log level; requests are logged at info.',
  }),
} as const satisfies Record<string, Setting<unknown>>;

/** Variables of the hooks in `examples/`, for a platform on the machine of the service. */
export const hookSettings: readonly string[] = [
  'MARU_URL',
  'MARU_API_KEY',
  'MARU_PLATFORM',
  'MARU_ORIGIN',
  'MARU_OUTBOX',
  'MARU_WEBHOOK_SECRET',
  'MARU_TIMEOUT_MS',
  'MARU_RESULT',
];

function unknownNames(environment: Readonly<Record<string, string | undefined>>): string[] {
  const settingNames = Object.keys(settingsTable);
  return Object.keys(environment)
    .filter((name) => name.startsWith('MARU_') && !settingNames.includes(name))
    .filter((name) => !hookSettings.includes(name))
    .map((name) => {
      const suggestion = nearest(name, settingNames);
      return `${name} is not a setting${suggestion === null ? '' : `: did you mean ${suggestion}?`}`;
    });
}

function text(fallback: string, help: BilingualText): Setting<string> {
  return { kind: 'text', default: fallback, help, read: (value) => value };
}

function secret(help: BilingualText): Setting<string | null> {
  return { kind: 'secret, shown nowhere', default: '', help, read: readOptionalText };
}

function optionalText(help: BilingualText): Setting<string | null> {
  return { kind: 'text', default: '', help, read: readOptionalText };
}

function readOptionalText(value: string): string | null {
  return value === '' ? null : value;
}

function list(help: BilingualText): Setting<readonly string[]> {
  return { kind: 'list', default: '', help, read: readList };
}

function readList(value: string): readonly string[] {
  return value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function wholeNumber(
  fallback: string,
  maximum: number,
  help: BilingualText,
  minimum = 0,
): Setting<number> {
  const read = (value: string) =>
    /^\d{1,15}$/.test(value) && Number(value) >= minimum && Number(value) <= maximum
      ? Number(value)
      : new Refusal(`must be a whole number from ${minimum} to ${maximum}, not "${value}"`);
  return { kind: 'number', default: fallback, help, read };
}

function cookieDomain(help: BilingualText): Setting<string | null> {
  return { kind: 'domain', default: '', help, read: readCookieDomain };
}

function readCookieDomain(value: string): string | null | Refusal {
  if (value === '') return null;
  const domain = value.toLowerCase().replace(/^\./, '');
  if (/^[a-z0-9.-]+$/.test(domain)) return domain;
  return new Refusal(`must be a domain such as example.com, not "${value}"`);
}

function port(fallback: string, help: BilingualText): Setting<number> {
  return { kind: 'port', default: fallback, help, read: readPort };
}

function optionalPort(help: BilingualText): Setting<number | null> {
  return { kind: 'port', default: '', help, read: readOptionalPort };
}

function readOptionalPort(value: string): number | null | Refusal {
  return value === '' ? null : readPort(value);
}

function readPort(value: string): number | Refusal {
  const number = Number(value);
  if (/^\d{1,5}$/.test(value) && number <= 65_535) return number;
  return new Refusal(`must be a port from 0 to 65535, not "${value}"`);
}

function url(help: BilingualText): Setting<string | null> {
  return { kind: 'url', default: '', help, read: readUrl };
}

function readUrl(value: string): string | null | Refusal {
  if (value === '') return null;
  const parsed = URL.parse(value);
  if (parsed !== null && /^https?:$/.test(parsed.protocol)) return value.replace(/\/+$/, '');
  return new Refusal(`must be an http:// or https:// address, not "${value}"`);
}

function snapshotsUrl(help: BilingualText): Setting<string | null> {
  return { kind: 'url | folder', default: '', help, read: readSnapshotsUrl };
}

/** The refusal does not show the address, which may have a password. */
function readSnapshotsUrl(value: string): string | null | Refusal {
  if (value === '') return null;
  const parsed = URL.parse(value);
  // A path, also one that begins with the letter of a drive.
  if (parsed === null || /^[a-z]:$/.test(parsed.protocol)) return value;
  const { protocol, username, password, search, hash, host, pathname } = parsed;
  const isBare = username === '' && password === '' && search === '' && hash === '';
  const isKnown = /^(?:s3|https?):$/.test(protocol)
    ? host !== ''
    : protocol === 'file:' && host === '';
  const isPlain = protocol !== 's3:' || /^[\w./-]*$/.test(pathname);
  if (isBare && isKnown && isPlain) return value.replace(/\/+$/, '');
  return new Refusal(
    'must be like s3://bucket/prefix, https://host/path or a folder, without a name, password or query',
  );
}

function databaseUrl(help: BilingualText): Setting<string | null> {
  return { kind: 'url, shown nowhere', default: '', help, read: readDatabaseUrl };
}

/** The refusal does not show the address, which has a password. */
function readDatabaseUrl(value: string): string | null | Refusal {
  const { protocol = '' } = URL.parse(value) ?? {};
  if (value === '' || /^postgres(?:ql)?:$/.test(protocol)) return readOptionalText(value);
  return new Refusal('must be like postgres://user:password@host:5432/database');
}

function adminOrigin(help: BilingualText): Setting<string | null> {
  return { kind: 'url', default: '', help, read: readAdminOrigin };
}

/** Browsers allow passkeys only for host names, over TLS or on this machine. */
function readAdminOrigin(value: string): string | null | Refusal {
  if (value === '') return null;
  const { protocol, hostname, origin, pathname } = URL.parse(value) ?? {};
  const isLocal = /^(?:.+\.)?localhost$/.test(hostname ?? '');
  const isNamed = /[a-z]/.test(hostname ?? '') && !hostname!.startsWith('[');
  const isSecure = protocol === 'https:' ? isNamed : protocol === 'http:' && isLocal;
  if (isSecure && pathname === '/') return origin!;
  return new Refusal(
    `must be an https:// address with a host name, or http://localhost:<port>, not "${value}"`,
  );
}

function choice<const Value extends string>(
  values: readonly Value[],
  fallback: Value,
  help: BilingualText,
): Setting<Value> {
  const read = (value: string) => {
    const choice = values.find((each) => each === value.toLowerCase());
    return choice ?? new Refusal(`must be one of ${values.join(', ')}, not "${value}"`);
  };
  return { kind: values.join(' | '), default: fallback, help, read };
}
