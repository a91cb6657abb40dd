import type { Row, StoredAxis } from '../../data/axis.ts';
import { distanceBetween, type Position } from '../../data/columns/distance.ts';
import { unspacedText } from '../../data/korean/normalise.ts';
import { synonymsOf } from '../../data/korean/synonyms.ts';
import { parseQuery } from '../../data/korean/terms.ts';
import { regionByCoordinates } from '../../data/regions/coordinates.ts';
import { isRegionName } from '../../data/regions/is-region-name.ts';
import { fullName, regionByCode } from '../../data/regions/region-table.ts';
import type { PageRequest } from '../serve-page.ts';
import { titleIn, type PlaceRecord } from './dataset-view.ts';

type Searching = Pick<PageRequest, 'store' | 'language' | 'isAbandoned'>;

/** The record that a name of a place stands for, and the records that it may stand for. */
interface PlaceRecords {
  /** Null for a name of several places, or of none. */
  readonly agreed: PlaceRecord | null;
  /** The likeliest first, one of each neighbourhood; empty if no record has the name. */
  readonly choices: readonly PlaceRecord[];
}

/** The records whose name or address has the name of a place. */
export async function placeRecords(name: string, request: Searching): Promise<PlaceRecords> {
  const found = await recordsNamed(name, request);
  const agreed = agreedRecord(found, name);
  const chosen: FoundRecord[] = [];
  for (const one of agreed === null ? found : [agreed, ...found]) {
    if (chosen.length === choicesMax) break;
    if (chosen.every(({ position }) => distanceBetween(position, one.position) > neighbourhood))
      chosen.push(one);
  }
  return { agreed: agreed === null ? null : placeRecord(agreed), choices: chosen.map(placeRecord) };
}

const choicesMax = 5;
/** In metres. */
const neighbourhood = 300;

interface FoundRecord {
  readonly position: Position;
  readonly name: string;
  readonly dataset: string;
  readonly fit: Fit;
  /** True if no other record of its dataset has its name. */
  readonly isOnly: boolean;
}

/**
 * 0 for a record with just the name of the place, 1 for a name that begins with it, 2 for an address with it, 3 for a
 * name or an address where it begins a longer word: 서울시청 in 서울시청직장어린이집, which is another place.
 */
type Fit = 0 | 1 | 2 | 3;

function placeRecord({ position: { lat, lon }, name, dataset }: FoundRecord): PlaceRecord {
  const region = regionByCode(regionByCoordinates(lat, lon)?.code ?? '');
  const place = region === undefined ? name : `${name} (${fullName(region)})`;
  return {
    name: place,
    label: `${place} · ${dataset}`,
    near: `${lat.toFixed(5)},${lon.toFixed(5)}`,
  };
}

/** Records with a position that name a place, the best fit first. */
async function recordsNamed(name: string, request: Searching): Promise<FoundRecord[]> {
  const { store, language, isAbandoned } = request;
  const words = name.replaceAll(/["“”]/g, ' ').trim().split(/\s+/);
  const regions = words.findIndex((word) => !isRegionName(word));
  // Records spell the region of an address in other ways.
  const place = regions < 0 ? '' : words.slice(regions).join(' ');
  if (place.length < 2) return [];
  const query = parseQuery(`${words.slice(0, regions).join(' ')} "${place}"`);
  const { hits } = await store.search({ ...query, limit: hitsMax, offset: 0 }, isAbandoned);
  return hits
    .flatMap((hit) => {
      const stored = store.axes.get(hit.axis)!;
      if (!stored.hasCoordinates || stored.axis.origin === 'sample') return [];
      // A store's record is the JSON of a row.
      const record = JSON.parse(hit.record.toString()) as Row;
      const position = positionOf(record, stored);
      const named = position === null ? null : nameFor(place, record, stored);
      const dataset = titleIn(stored, language);
      if (named === null) return [];
      return [{ position: position!, dataset, isOnly: hit.more === 0, ...named }];
    })
    .sort((a, b) => a.fit - b.fit);
}

const hitsMax = 40;

function positionOf(record: Row, stored: StoredAxis): Position | null {
  const [lat, lon] = (['lat', 'lon'] as const).map((role) =>
    Number(valueOf(record, role, stored) ?? NaN),
  );
  return lat! > 0 && lon! > 0 ? { lat: lat!, lon: lon! } : null;
}

function valueOf(record: Row, wanted: 'lat' | 'lon' | 'name', { fields }: StoredAxis) {
  const name = fields.find(({ role }) => role === wanted)?.name;
  return name === undefined ? null : (record[name] ?? null);
}

/** The text of a record that names a place; null without one. */
function nameFor(
  place: string,
  record: Row,
  stored: StoredAxis,
): Pick<FoundRecord, 'name' | 'fit'> | null {
  const name = String(valueOf(record, 'name', stored) ?? '');
  const [own, wanted] = [unspacedText(name), unspacedText(place)];
  const shown = name.slice(0, nameLengthMax);
  if (own === wanted) return { name: shown, fit: 0 };
  const spaced = Array.from(wanted, (letter) => RegExp.escape(letter)).join(' ?');
  // 세종대로 11 is neither 세종대로 110 nor 세종대로 11길.
  const isNumbered = /\d$/.test(place);
  const wordEnd = isNumbered ? '(?![\\p{L}\\p{N}])' : '(?!\\p{L})';
  if (new RegExp(`^${spaced}${wordEnd}`, 'iu').test(name)) return { name: shown, fit: 1 };
  const endings = [
    [wordEnd, 2],
    [isNumbered ? '(?!\\d)' : '', 3],
  ] as const;
  for (const [ending, fit] of endings) {
    const part = new RegExp(`(?<![\\p{L}\\p{N}])${spaced}${ending}[^,;()\\n]*`, 'iu');
    for (const value of Object.values(record)) {
      const found = part.exec(String(value))?.[0];
      if (found !== undefined) return { name: found.trim().slice(0, nameLengthMax), fit };
    }
  }
  return null;
}

const nameLengthMax = 40;

/**
 * The record in the middle of those that fit best, if nearly all of these lie together; null if there are too few. One
 * record is enough at an address with its number, and with just the name, unless the name is that of a kind of places
 * (공원, 시장) or begins the names of records elsewhere.
 */
function agreedRecord(found: readonly FoundRecord[], name: string): FoundRecord | null {
  const isKind = synonymsOf(unspacedText(name)).length > 0;
  const fittingBy = (fit: Fit): FoundRecord[] => found.filter((one) => one.fit <= fit);
  for (const fit of [0, 1, 2] as const) {
    const fitting = fittingBy(fit);
    const isExact = fit === 0 && !isKind && fitting.some(({ isOnly }) => isOnly);
    if (isExact && middleOf(fittingBy(1)) === null) return null;
    const isAddress = fit === 2 && /\d$/.test(name) && fitting.length > 0;
    if (isExact || isAddress || fitting.length >= recordsMin) return middleOf(fitting);
  }
  return null;
}

const recordsMin = 3;

function middleOf(found: readonly FoundRecord[]): FoundRecord | null {
  const [lat, lon] = (['lat', 'lon'] as const).map((part) => {
    const sorted = found.map(({ position }) => position[part]).sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)]!;
  });
  const middle: Position = { lat: lat!, lon: lon! };
  const distanceOf = ({ position }: FoundRecord): number => distanceBetween(middle, position);
  const close = found.filter((one) => distanceOf(one) <= samePlaceMax);
  if (close.length < found.length * closeShareMin) return null;
  return close.reduce((best, one) => (distanceOf(one) < distanceOf(best) ? one : best));
}

/** In metres: the exits of a station and the shops around it. */
const samePlaceMax = 1_000;
const closeShareMin = 0.8;
