import type { Value } from '../axis.ts';
import { parseAddress, type ParsedAddress } from './address.ts';
import { regionByCoordinates, type NearestRegion } from './coordinates.ts';
import { currentCodes, currentSuccessors } from './coverage.ts';
import { findRegion } from './find-region.ts';
import { hasOwnRecords } from './former-regions.ts';
import { readDegrees } from '../values/degrees.ts';
import { nameKey } from './name-key.ts';
import { matchCode, wholeCode } from './region-codes.ts';
import { regionByCode } from './region-table.ts';
import type { Region } from './region-table.ts';
import { everBelongedToSido, currentSigunguCode, candidateWithDong } from './current-sigungu.ts';
import { sidoOfKey } from './sido-names.ts';
import { allSigunguOfName } from './sigungu-names.ts';

/** Positions of the columns that may give a record's region; null or empty if there is none. */
export interface RegionRoles {
  readonly sido: number | null;
  readonly sigungu: number | null;
  /** Names of eup, myeon or dong. */
  readonly dong: number | null;
  /** Legal or administrative codes. A column with the two digits of a sido may precede one with three of a sigungu. */
  readonly codes: readonly number[];
  readonly addresses: readonly number[];
  readonly lat: number | null;
  readonly lon: number | null;
}

/** Caches of the regions of distinct values, for all records of an axis. */
export class EvidenceCaches {
  readonly fields = new BoundedCache<StatedRegion>();
  readonly codes = new BoundedCache<CodedRegion>();
}

interface StatedRegion {
  readonly region: Region | null;
  /** True if the fields name a sigungu of another sido: only the sido may be right. */
  readonly isContradictory: boolean;
}

interface CodedRegion {
  readonly region: Region | null;
  /** The region of the code's first five digits. `region` may be its successor, found by the digits of the dong. */
  readonly former: Region | null;
}

/** Evidence for the region of one record, read on demand. */
export class RegionEvidence {
  readonly #values: readonly Value[];
  readonly #roles: RegionRoles;
  readonly #caches: EvidenceCaches;
  readonly #parsed: (ParsedAddress | null)[] = [];
  #dongs: string | null = null;

  constructor(values: readonly Value[], roles: RegionRoles, caches: EvidenceCaches) {
    this.#values = values;
    this.#roles = roles;
    this.#caches = caches;
  }

  regionBy(basis: 'field' | 'code' | 'address'): Region | null {
    if (basis === 'field') return this.#fieldRegion().region;
    return basis === 'code' ? this.#codeRegion().region : this.#addressRegion();
  }

  hasContradiction(): boolean {
    return this.#fieldRegion().isContradictory;
  }

  /** The former region that a source names, if it became part of the current region. */
  formerRegionOf(currentCode: string): Region | null {
    const regions = [this.#fieldRegion().region, this.#codeRegion().former, this.#addressRegion()];
    return regions.find((region) => region !== null && becamePartOf(region, currentCode)) ?? null;
  }

  /** Text that may name the dong: the column of dongs, then the rest of each address after its regions. */
  dongTexts(): string {
    if (this.#dongs !== null) return this.#dongs;
    let texts = this.#textOf(this.#roles.dong);
    for (const [at, column] of this.#roles.addresses.entries()) {
      const text = this.#textOf(column);
      if (text !== '') texts += ` ${this.#parseAddress(at)?.rest ?? text}`;
    }
    return (this.#dongs = texts.trim());
  }

  /** The sigungu of an ambiguous name without a sido (`강서구 화곡동`), decided by the dong. */
  ambiguousSigungu(): string | undefined {
    const dongs = this.dongTexts();
    const [first = '', ...rest] = `${this.#textOf(this.#roles.sigungu)} ${dongs}`.trim().split(' ');
    const candidates = allSigunguOfName(nameKey(first)).map(({ region }) => region);
    if (candidates.length === 0) return undefined;
    const parsed = parseAddress(`${first} ${rest.join(' ')}`)?.sigungu ?? null;
    return parsed === null
      ? candidateWithDong(candidates, rest.join(' '))
      : currentSigunguCode(parsed, rest.join(' '));
  }

  /** The sigungu of a name without a sido, if it belongs to the given sido. */
  sigunguWithin(sido: Region): { region: Region; basis: 'field' | 'address' } | null {
    const stated = this.#textOf(this.#roles.sigungu);
    const match = stated === '' ? null : findRegion(sido.name, stated);
    const sigungu = match?.former ?? match?.sigungu ?? null;
    if (sigungu !== null) return { region: sigungu, basis: 'field' };
    for (const column of this.#roles.addresses) {
      const region = parseAddress(`${sido.name} ${this.#textOf(column)}`)?.sigungu ?? null;
      if (region !== null) return { region, basis: 'address' };
    }
    return null;
  }

  /** A dong with the same former regions as the position, if the position is in the current region. */
  nearestDong(currentCode: string): string | undefined {
    const nearest = this.#nearestRegion();
    return nearest?.code === currentCode ? (nearest.dong ?? undefined) : undefined;
  }

  /** Codes of the current regions that an ambiguous name without a sido may mean; null without such a name. */
  regionsOfName(): ReadonlySet<string> | null {
    const [first = ''] = (this.#textOf(this.#roles.sigungu) || this.dongTexts()).split(' ', 1);
    const key = nameKey(first);
    if (key === '') return null;
    const sido = sidoOfKey(key)?.region;
    const sigungu = allSigunguOfName(key).map(({ region }) => region);
    const regions = sido === undefined ? sigungu : [sido, ...sigungu];
    return regions.length === 0 ? null : new Set(regions.flatMap(currentCodes));
  }

  /** The current sigungu of the position; with `among`, the nearest of those regions. */
  nearestSigungu(among: ReadonlySet<string> | null = null): string | null {
    return this.#nearestRegion(among)?.code ?? null;
  }

  #nearestRegion(among: ReadonlySet<string> | null = null): NearestRegion | null {
    const { lat, lon } = this.#roles;
    if (lat === null || lon === null) return null;
    const [north, east] = [this.#textOf(lat), this.#textOf(lon)];
    // An empty text would be read as the number 0.
    if (north === '' || east === '') return null;
    return regionByCoordinates(degreesOfText(north), degreesOfText(east), among);
  }

  #fieldRegion(): StatedRegion {
    const sido = this.#textOf(this.#roles.sido);
    const sigungu = this.#textOf(this.#roles.sigungu);
    if (sido === '' && sigungu === '') return noStatedRegion;
    return this.#caches.fields.get(`${sido}\n${sigungu}`, () => statedRegion(sido, sigungu));
  }

  #codeRegion(): CodedRegion {
    let finest: CodedRegion = noCodedRegion;
    let sidoDigits = '';
    for (const column of this.#roles.codes) {
      const text = wholeCode(this.#textOf(column));
      const code = text.length === 3 ? sidoDigits + text : text;
      if (text.length === 2) sidoDigits = text;
      if (code === '') continue;
      const coded = this.#caches.codes.get(code, () => codedRegion(code));
      if (coded.region !== null && (finest.region === null || finest.region.level === 'sido'))
        finest = coded;
    }
    return finest;
  }

  #addressRegion(): Region | null {
    let sido: Region | null = null;
    for (let at = 0; at < this.#roles.addresses.length; at++) {
      const parsed = this.#parseAddress(at);
      if (parsed === null) continue;
      if (parsed.sigungu !== null) return parsed.sigungu;
      sido ??= parsed.sido;
    }
    return sido;
  }

  /** An address by its position, parsed once. */
  #parseAddress(at: number): ParsedAddress | null {
    const cached = this.#parsed[at];
    if (cached !== undefined) return cached;
    const text = this.#textOf(this.#roles.addresses[at]!);
    return (this.#parsed[at] = text === '' ? null : parseAddress(text));
  }

  #textOf(column: number | null): string {
    const value = column === null ? null : (this.#values[column] ?? null);
    if (value === null) return '';
    return typeof value === 'string' ? value : String(value);
  }
}

const noStatedRegion: StatedRegion = { region: null, isContradictory: false };
const noCodedRegion: CodedRegion = { region: null, former: null };

function becamePartOf(region: Region, currentCode: string): boolean {
  if (region.until === null || !hasOwnRecords(region)) return false;
  return currentSuccessors(region).some(
    ({ code, parent }) => code === currentCode || parent === currentCode,
  );
}

function statedRegion(sido: string, sigungu: string): StatedRegion {
  // Without a sido 광주시 may be either city: the dong or the position decides.
  if (sido === '' && nameKey(sigungu) === '광주시') return noStatedRegion;
  const hasBoth = sido !== '' && sigungu !== '';
  const match = hasBoth ? findRegion(sido, sigungu) : findRegion(sido + sigungu);
  if (match !== null) {
    return { region: match.former ?? match.sigungu ?? match.sido, isContradictory: false };
  }
  const sidoMatch = hasBoth ? findRegion(sido) : null;
  if (sidoMatch !== null)
    return statedWithinSido(sidoMatch.former ?? sidoMatch.sigungu ?? sidoMatch.sido, sigungu);
  const parsed = parseAddress(`${sido} ${sigungu}`);
  return { region: parsed?.sigungu ?? parsed?.sido ?? null, isContradictory: false };
}

/** Checks a name within a sido. A known sigungu of another sido contradicts it; unknown names such as 본청 or 기타 do not. */
function statedWithinSido(sido: Region, name: string): StatedRegion {
  const sigungu = parseAddress(name)?.sigungu ?? null;
  if (sigungu !== null && everBelongedToSido(sigungu, sido)) {
    return { region: sigungu, isContradictory: false };
  }
  const isContradictory = sigungu !== null || allSigunguOfName(nameKey(name)).length > 0;
  return { region: sido, isContradictory };
}

function codedRegion(code: string): CodedRegion {
  const region = matchCode(code)?.region ?? null;
  const former = region === null ? null : (regionByCode(code.slice(0, 5)) ?? null);
  return { region, former };
}

/** Cache that is cleared when it is full. Equal values follow each other, so tracking their use would cost more. */
export class BoundedCache<T> {
  readonly #entries = new Map<string, T>();

  get(key: string, compute: () => T): T {
    const cached = this.#entries.get(key);
    if (cached !== undefined) return cached;
    if (this.#entries.size >= cacheEntriesMax) this.#entries.clear();
    const value = compute();
    this.#entries.set(key, value);
    return value;
  }
}

const cacheEntriesMax = 20_000;

function degreesOfText(text: string): number {
  const number = Number(text);
  return Number.isNaN(number) ? (readDegrees(text) ?? NaN) : number;
}
