import type { Value } from '../axis.ts';
import { parseAddress, type ParsedAddress } from './address.ts';
import { regionByCoordinates, type NearestRegion } from './coordinates.ts';
import { livingEnds } from './coverage.ts';
import { findRegion } from './find-region.ts';
import { hasOwnRecords } from './former-regions.ts';
import { nameKey } from './name-key.ts';
import { codeNamed } from './region-codes.ts';
import { regionByCode } from './region-table.ts';
import type { Region } from './region-table.ts';
import { agrees, livingSigunguCode, sigunguWithDong } from './settle.ts';
import { sigunguEverywhere } from './sigungu-names.ts';

/** Positions of the columns that may give a record's region; null or empty if there is none. */
export interface RegionRoles {
  readonly sido: number | null;
  readonly sigungu: number | null;
  /** Names of eup, myeon or dong. */
  readonly dong: number | null;
  /** Legal or administrative codes; a sido's two digits may stand before a sigungu's three. */
  readonly codes: readonly number[];
  readonly addresses: readonly number[];
  readonly lat: number | null;
  readonly lon: number | null;
}

/** Caches the reading of each distinct value for all records of an axis. */
export class PlaceCaches {
  readonly fields = new BoundedCache<StatedRegion>();
  readonly codes = new BoundedCache<CodedRegion>();
}

interface StatedRegion {
  readonly region: Region | null;
  /** The sigungu is one of another sido: only the sido is certain, if that. */
  readonly contradicts: boolean;
}

interface CodedRegion {
  readonly region: Region | null;
  /** The abolished sigungu of the code's number; its dong may have given a living one. */
  readonly former: Region | null;
}

/** Evidence of one record about its region, read on demand. */
export class PlaceOfRecord {
  readonly #values: readonly Value[];
  readonly #roles: RegionRoles;
  readonly #caches: PlaceCaches;
  readonly #parsed: (ParsedAddress | null)[] = [];
  #dongs: string | null = null;

  constructor(values: readonly Value[], roles: RegionRoles, caches: PlaceCaches) {
    this.#values = values;
    this.#roles = roles;
    this.#caches = caches;
  }

  region(basis: 'field' | 'code' | 'address'): Region | null {
    if (basis === 'field') return this.#field().region;
    return basis === 'code' ? this.#code().region : this.#address();
  }

  /** True if the fields name a sigungu that does not belong to their sido. */
  contradictsItself(): boolean {
    return this.#field().contradicts;
  }

  /** The former region that some source names for a record of the living one. */
  formerOf(living: string): Region | null {
    const named = [this.#field().region, this.#code().former, this.#address()];
    return named.find((region) => region !== null && becamePartOf(region, living)) ?? null;
  }

  /** Texts in which a dong may be named: the dong's own column, then what follows in the addresses. */
  dongs(): string {
    if (this.#dongs !== null) return this.#dongs;
    let texts = this.#text(this.#roles.dong);
    for (const [at, column] of this.#roles.addresses.entries()) {
      const text = this.#text(column);
      if (text !== '') texts += ` ${this.#parse(at)?.rest ?? text}`;
    }
    return (this.#dongs = texts.trim());
  }

  /** The sigungu of an ambiguous name without a sido (`강서구 화곡동`), decided by the dong. */
  ambiguousSigungu(): string | undefined {
    const dongs = this.dongs();
    const [first = '', ...rest] = `${this.#text(this.#roles.sigungu)} ${dongs}`.trim().split(' ');
    const candidates = sigunguEverywhere(nameKey(first)).map(({ region }) => region);
    if (candidates.length === 0) return undefined;
    const parsed = parseAddress(`${first} ${rest.join(' ')}`)?.sigungu ?? null;
    return parsed === null
      ? sigunguWithDong(candidates, rest.join(' '))
      : livingSigunguCode(parsed, rest.join(' '));
  }

  /** The sigungu of a name without a sido where it is one of the given sido's. */
  sigunguWithin(sido: Region): { region: Region; basis: 'field' | 'address' } | null {
    const stated = this.#text(this.#roles.sigungu);
    const found = stated === '' ? null : findRegion(sido.name, stated);
    const named = found?.former ?? found?.sigungu ?? null;
    if (named !== null) return { region: named, basis: 'field' };
    for (const column of this.#roles.addresses) {
      const region = parseAddress(`${sido.name} ${this.#text(column)}`)?.sigungu ?? null;
      if (region !== null) return { region, basis: 'address' };
    }
    return null;
  }

  /**
   * A dong that belonged to the former regions of the position, if that position is in the living region.
   */
  dongNearby(living: string): string | undefined {
    const nearest = this.#nearest();
    return nearest?.code === living ? (nearest.dong ?? undefined) : undefined;
  }

  nearest(): string | null {
    return this.#nearest()?.code ?? null;
  }

  #nearest(): NearestRegion | null {
    const { lat, lon } = this.#roles;
    if (lat === null || lon === null) return null;
    const [north, east] = [this.#text(lat), this.#text(lon)];
    // An empty text is the number 0.
    if (north === '' || east === '') return null;
    return regionByCoordinates(Number(north), Number(east));
  }

  #field(): StatedRegion {
    const sido = this.#text(this.#roles.sido);
    const sigungu = this.#text(this.#roles.sigungu);
    if (sido === '' && sigungu === '') return nothingStated;
    return this.#caches.fields.get(`${sido}\n${sigungu}`, () => statedRegion(sido, sigungu));
  }

  #code(): CodedRegion {
    let finest: CodedRegion = nothingCoded;
    let above = '';
    for (const column of this.#roles.codes) {
      const text = this.#text(column);
      const code = text.length === 3 ? above + text : text;
      if (text.length === 2) above = text;
      if (code === '') continue;
      const coded = this.#caches.codes.get(code, () => codedRegion(code));
      if (coded.region !== null && (finest.region === null || finest.region.level === 'sido'))
        finest = coded;
    }
    return finest;
  }

  #address(): Region | null {
    let sido: Region | null = null;
    for (let at = 0; at < this.#roles.addresses.length; at++) {
      const parsed = this.#parse(at);
      if (parsed === null) continue;
      if (parsed.sigungu !== null) return parsed.sigungu;
      sido ??= parsed.sido;
    }
    return sido;
  }

  /** An address by its position, parsed once. */
  #parse(at: number): ParsedAddress | null {
    const known = this.#parsed[at];
    if (known !== undefined) return known;
    const text = this.#text(this.#roles.addresses[at]!);
    return (this.#parsed[at] = text === '' ? null : parseAddress(text));
  }

  #text(column: number | null): string {
    const value = column === null ? null : (this.#values[column] ?? null);
    if (value === null) return '';
    return typeof value === 'string' ? value : String(value);
  }
}

const nothingStated: StatedRegion = { region: null, contradicts: false };
const nothingCoded: CodedRegion = { region: null, former: null };

function becamePartOf(region: Region, living: string): boolean {
  if (region.until === null || !hasOwnRecords(region)) return false;
  return livingEnds(region).some(({ code, parent }) => code === living || parent === living);
}

function statedRegion(sido: string, sigungu: string): StatedRegion {
  // Alone, 광주시 may be either city: the dong or the position decides.
  if (sido === '' && nameKey(sigungu) === '광주시') return nothingStated;
  const both = sido !== '' && sigungu !== '';
  const found = both ? findRegion(sido, sigungu) : findRegion(sido + sigungu);
  if (found !== null) {
    return { region: found.former ?? found.sigungu ?? found.sido, contradicts: false };
  }
  const above = both ? findRegion(sido) : null;
  if (above !== null) return statedWithin(above.former ?? above.sigungu ?? above.sido, sigungu);
  const parsed = parseAddress(`${sido} ${sigungu}`);
  return { region: parsed?.sigungu ?? parsed?.sido ?? null, contradicts: false };
}

/**
 * A known name that does not belong to the sido contradicts it; 본청 and 기타 do not, nor does 부천시 중구, long abolished.
 */
function statedWithin(above: Region, sigungu: string): StatedRegion {
  const named = parseAddress(sigungu)?.sigungu ?? null;
  if (named !== null && agrees(named, above)) {
    return { region: named, contradicts: false };
  }
  const contradicts = named !== null || sigunguEverywhere(nameKey(sigungu)).length > 0;
  return { region: above, contradicts };
}

function codedRegion(code: string): CodedRegion {
  const region = codeNamed(code)?.region ?? null;
  const former = region === null ? null : (regionByCode(code.slice(0, 5)) ?? null);
  return { region, former };
}

/** Distinct values repeat in runs: emptying a full cache costs less than tracking what was used last. */
export class BoundedCache<T> {
  readonly #entries = new Map<string, T>();

  get(key: string, make: () => T): T {
    const known = this.#entries.get(key);
    if (known !== undefined) return known;
    if (this.#entries.size >= cacheEntriesMax) this.#entries.clear();
    const made = make();
    this.#entries.set(key, made);
    return made;
  }
}

const cacheEntriesMax = 20_000;
