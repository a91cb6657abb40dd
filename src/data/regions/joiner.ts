import type { RegionBasis, Value } from '../axis.ts';
import { parseAddress } from './address.ts';
import { regionByCoordinates } from './coordinates.ts';
import { codesAbove, livingEnds, sidoCodeOf } from './coverage.ts';
import { findRegion } from './find-region.ts';
import { nameKey } from './name-key.ts';
import { codeNamed } from './region-codes.ts';
import type { Region } from './region-table.ts';
import { isWithin, livingSigunguCode, sigunguByDong, sigunguWithDong } from './settle.ts';
import { sigunguEverywhere } from './sigungu-names.ts';

/** Columns that can tell where a record lies, by position; null or empty where there is none. */
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

export interface JoinedRegion {
  /** A living region's, or 29 and 46 for records that name only the former sido. */
  readonly code: string;
  /** The code and those above it, from the sido down, and a divided region's own where it stayed undecided. */
  readonly codes: readonly string[];
  /** What told the code; the finest source where one names the sido and another the sigungu. */
  readonly basis: RegionBasis;
}

/**
 * A function that says in which living region a record lies. Fields are trusted before codes (other
 * systems use the same numbers), codes before addresses, and coordinates last: near borders they err,
 * for one to five records in a hundred. A later source only refines what an earlier one said.
 */
export function createRegionJoiner(
  roles: RegionRoles,
): (values: readonly Value[]) => JoinedRegion | null {
  const fields = new BoundedCache<Region | null>();
  const codes = new BoundedCache<Region | null>();
  const joined = new BoundedCache<JoinedRegion>();

  return function join(values) {
    const record = new PlaceOfRecord(values, roles, fields, codes);
    const found = locate(record);
    if (found === null) return null;
    const { code, basis, divided = '' } = found;
    return joined.get(`${code} ${divided} ${basis}`, () => ({
      code,
      codes: divided === '' ? codesAbove(code) : [...codesAbove(code), divided],
      basis,
    }));
  };
}

interface Located {
  readonly code: string;
  readonly basis: RegionBasis;
  /** A region that was divided, when nothing tells the part. */
  readonly divided?: string;
}

function locate(record: PlaceOfRecord): Located | null {
  let sido: Region | null = null;
  let sidoBasis: RegionBasis = 'field';
  for (const basis of ['field', 'code', 'address'] as const) {
    const region = record.region(basis);
    if (region === null || (sido !== null && !agrees(region, sido))) continue;
    if (region.level === 'sigungu') return settle(region, basis, record);
    if (sido === null) [sido, sidoBasis] = [region, basis];
  }
  const byDong = sido === null ? record.ambiguousSigungu() : sigunguByDong(sido, record.dongs());
  if (byDong !== undefined) return { code: byDong, basis: 'address' };
  const nearest = record.nearest();
  if (nearest !== null && (sido === null || isWithin(nearest, sido)))
    return { code: nearest, basis: 'coordinates' };
  return sido === null ? null : { code: livingEnds(sido)[0]?.code ?? sido.code, basis: sidoBasis };
}

function agrees(region: Region, sido: Region): boolean {
  if (region.level === 'sido') return sidoCodeOf(region.code) === sidoCodeOf(sido.code);
  return livingEnds(region).some(({ code }) => isWithin(code, sido));
}

/** Where a sigungu was divided, the dong decides, then its code, then the position. */
function settle(sigungu: Region, basis: RegionBasis, record: PlaceOfRecord): Located {
  const code = livingSigunguCode(sigungu, needsDong(sigungu) ? record.dongs() : '');
  const ends = livingEnds(sigungu).map((end) => end.code);
  if (ends.length === 1 || ends.includes(code)) return { code, basis };
  const coded = record.region('code')?.code;
  if (coded !== undefined && ends.includes(coded)) return { code: coded, basis: 'code' };
  const nearest = record.nearest();
  if (nearest !== null && ends.includes(nearest)) return { code: nearest, basis: 'coordinates' };
  return { code, basis, divided: sigungu.code };
}

/** Reading the dongs costs more than all the rest, and only cities and former regions need them. */
function needsDong(sigungu: Region): boolean {
  return sigungu.until !== null || sigungu.name.endsWith('시');
}

/** What one record says about its place, read only when asked for. */
class PlaceOfRecord {
  readonly #values: readonly Value[];
  readonly #roles: RegionRoles;
  readonly #fields: BoundedCache<Region | null>;
  readonly #codes: BoundedCache<Region | null>;

  constructor(
    values: readonly Value[],
    roles: RegionRoles,
    fields: BoundedCache<Region | null>,
    codes: BoundedCache<Region | null>,
  ) {
    this.#values = values;
    this.#roles = roles;
    this.#fields = fields;
    this.#codes = codes;
  }

  region(basis: 'field' | 'code' | 'address'): Region | null {
    if (basis === 'field') return this.#field();
    return basis === 'code' ? this.#code() : this.#address();
  }

  /** Texts in which a dong may be named: the dong's own column, then what follows in the addresses. */
  dongs(): string {
    let texts = this.#text(this.#roles.dong);
    for (const column of this.#roles.addresses) {
      const text = this.#text(column);
      if (text !== '') texts += ` ${parseAddress(text)?.rest ?? text}`;
    }
    return texts.trim();
  }

  /** The sigungu of an ambiguous name without a sido (`강서구 화곡동`), told by the dong. */
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

  nearest(): string | null {
    const { lat, lon } = this.#roles;
    if (lat === null || lon === null) return null;
    const [north, east] = [this.#text(lat), this.#text(lon)];
    // An empty text is the number 0.
    if (north === '' || east === '') return null;
    return regionByCoordinates(Number(north), Number(east))?.code ?? null;
  }

  #field(): Region | null {
    const sido = this.#text(this.#roles.sido);
    const sigungu = this.#text(this.#roles.sigungu);
    if (sido === '' && sigungu === '') return null;
    return this.#fields.get(`${sido}\n${sigungu}`, () => regionOfFields(sido, sigungu));
  }

  #code(): Region | null {
    let finest: Region | null = null;
    let above = '';
    for (const column of this.#roles.codes) {
      const text = this.#text(column);
      const code = text.length === 3 ? above + text : text;
      if (text.length === 2) above = text;
      if (code === '') continue;
      const region = this.#codes.get(code, () => codeNamed(code)?.region ?? null);
      if (region !== null && (finest === null || finest.level === 'sido')) finest = region;
    }
    return finest;
  }

  #address(): Region | null {
    let sido: Region | null = null;
    for (const column of this.#roles.addresses) {
      const text = this.#text(column);
      const parsed = text === '' ? null : parseAddress(text);
      if (parsed === null) continue;
      if (parsed.sigungu !== null) return parsed.sigungu;
      sido ??= parsed.sido;
    }
    return sido;
  }

  #text(column: number | null): string {
    const value = column === null ? null : (this.#values[column] ?? null);
    if (value === null) return '';
    return typeof value === 'string' ? value : String(value);
  }
}

function regionOfFields(sido: string, sigungu: string): Region | null {
  // Alone, 광주시 may be either city: the dong or the position tells.
  if (sido === '' && nameKey(sigungu) === '광주시') return null;
  const found =
    sido === '' || sigungu === ''
      ? findRegion(sido + sigungu)
      : (findRegion(sido, sigungu) ?? findRegion(sido));
  if (found !== null) return found.former ?? found.sigungu ?? found.sido;
  const parsed = parseAddress(`${sido} ${sigungu}`);
  return parsed === null ? null : (parsed.sigungu ?? parsed.sido);
}

/** Distinct values repeat in runs: emptying a full cache costs less than tracking what was used last. */
class BoundedCache<T> {
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
