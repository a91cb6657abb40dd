import { randomFor, type SeededRandom } from '../seeded-random.ts';
import type { Source } from '../hosts/operations.ts';
import { generate, memoize, matches, type Listing, type Row, type Value } from '../listing.ts';
import { recordMaker } from '../patterns.ts';
import { operationOf } from '../operation.ts';
import { districts } from '../place.ts';
import { Refusal } from '../refusal.ts';
import { dayKst, type World } from '../world.ts';
import file from './weather.json' with { type: 'json' };

/** Daily weather of the stations, the present weather of a grid cell, and the forecast zones (KMA). */
export function weatherSources(world: World): Readonly<Record<string, Source>> {
  const zones = memoize(zoneRows);
  return {
    gen_wthrdatalist: (query) => dailyRows(world, query),
    kma_ncst: (query) => presentRows(world, query),
    gen_fcstzonecd: (query) =>
      zones().filter(
        (row) =>
          matches(row['regId'], query.get('regId')) && matches(row['regSp'], query.get('regSp')),
      ),
  };
}

/** Days in the sample's archive, enough for a first collection; the real archive begins in 1904. */
const archiveDays = 31;
const dayMs = 86_400_000;

function dailyRows(world: World, query: ReadonlyMap<string, string>): Listing<Row> {
  const { seed, now } = world;
  if (query.get('dataCd') !== 'ASOS' || query.get('dateCd') !== 'DAY')
    throw new Refusal('10', 'INVALID_REQUEST_PARAMETER_ERROR(dataCd, dateCd)');
  const name = stations.get(query.get('stnIds') ?? '');
  const [start, end] = [query.get('startDt') ?? '', query.get('endDt') ?? ''].map(momentOf);
  if (start === undefined || end === undefined || start === null || end === null)
    throw new Refusal('10', 'INVALID_REQUEST_PARAMETER_ERROR(startDt, endDt)');
  const today = momentOf(dayKst(now())) ?? 0;
  if (end >= today) throw new Refusal('10', '전날 자료까지 제공됩니다.');
  const first = Math.max(start, today - archiveDays * dayMs);
  if (name === undefined || first > end) return [];
  const days = (end - first) / dayMs + 1;
  return generate(days, (index) =>
    dailyRow(seed, query.get('stnIds') ?? '', name, new Date(first + index * dayMs)),
  );
}

/** Midnight UTC of a day such as `20261121`; null if there is no such day. */
function momentOf(day: string): number | null {
  if (!/^\d{8}$/.test(day)) return null;
  const iso = `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`;
  const moment = Date.parse(`${iso}T00:00:00Z`);
  return Number.isNaN(moment) || new Date(moment).toISOString().slice(0, 10) !== iso
    ? null
    : moment;
}

const dailyFields = operationOf('gen_wthrdatalist').fields.map(({ name }) => name);

function dailyRow(seed: number, station: string, name: string, day: Date): Row {
  const tm = day.toISOString().slice(0, 10);
  const random = randomFor(seed, 'asos', station, tm);
  const season = -Math.cos(((day.getUTCMonth() + 1) / 12) * 2 * Math.PI);
  const mean = 12.5 + 13 * season + (random.fraction() - 0.5) * 6;
  const mainValues: Record<string, Value> = {
    stnId: station,
    stnNm: name,
    tm,
    avgTa: mean.toFixed(1),
    minTa: (mean - random.whole(20, 70) / 10).toFixed(1),
    maxTa: (mean + random.whole(20, 70) / 10).toFixed(1),
    iscs: random.chance(0.2) ? '{비}0915-1230.' : '',
  };
  return Object.fromEntries(
    dailyFields.map((field) => [field, mainValues[field] ?? otherMeasure(random, field)]),
  );
}

/** A number in the range of its kind, or sometimes nothing, because stations do not measure everything. */
function otherMeasure(random: SeededRandom, field: string): string {
  if (random.chance(0.15)) return '';
  if (field.endsWith('Hrmt')) return String(random.whole(1, 2400));
  if (field.endsWith('Rhm')) return random.whole(20, 99).toFixed(1);
  if (/^(?:avg|max|min)P[as]$/.test(field)) return (990 + random.whole(0, 350) / 10).toFixed(1);
  if (field.endsWith('Wd')) return String(10 * random.whole(1, 36));
  return (random.whole(0, 250) / 10).toFixed(1);
}

const presentValues = recordMaker('present_weather');

/** Eight rows for one cell and hour. Without a parameter there are none, as on the real service. */
function presentRows({ seed, now }: World, query: ReadonlyMap<string, string>): Row[] {
  const [baseDate = '', baseTime = '', x = '', y = ''] = ['base_date', 'base_time', 'nx', 'ny'].map(
    (name) => query.get(name) ?? '',
  );
  const midnight = momentOf(baseDate);
  if (midnight === null || !/^\d{4}$/.test(baseTime)) return [];
  const moment = midnight + Number(baseTime.slice(0, 2)) * 3_600_000 - 9 * 3_600_000;
  if (moment + 10 * 60_000 > now()) return [];
  if (now() - moment > 25 * 3_600_000) throw new Refusal('10', '최근 1일 간의 자료만 제공합니다.');
  const [nx, ny] = [Number(x), Number(y)];
  if (!(nx >= 1 && nx <= 149 && ny >= 1 && ny <= 253)) return [];
  const hour = `${baseTime.slice(0, 2)}00`;
  const random = randomFor(seed, 'present', nx, ny, baseDate, hour);
  return Object.entries(presentValues(random, {})).map(([category, value]) => ({
    baseDate,
    baseTime: hour,
    category,
    nx,
    ny,
    obsrValue: String(value),
  }));
}

/** Forecast zones: cities, and wider zones, whose codes share their first four characters with their cities. */
function zoneRows(): Row[] {
  const cities = file.cityZones.map(([code = '', name = '']) => [code, name, 'C'] as const);
  const wider = file.widerZones.map(([code = '', name = '']) => [code, name, 'A'] as const);
  return [...wider, ...cities].map(([code, name, kind], index) => {
    const district = districts.find((one) => one.name.startsWith(name) || one.sido.short === name);
    return {
      regId: code,
      regName: name,
      regEn: '',
      regSp: kind,
      regUp: kind === 'A' ? '11000000' : `${code.slice(0, 4)}0000`,
      lat: district?.points[0] ?? '',
      lon: district?.points[1] ?? '',
      seq: index + 1,
      stnF3: '',
      stnFd: '',
      tmSt: '200506010000',
      tmEd: '210012310000',
    };
  });
}

/** Names of the stations of the synoptic network, by their numbers. */
const stations = new Map(file.stations.map(([number = '', name = '']) => [number, name]));
