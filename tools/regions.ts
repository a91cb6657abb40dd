/**
 * Writes `src/data/regions/{regions,dongs,divided,former-regions,borders}.json` and `sample/centres.json` from the
 * official tables (legal and administrative dongs up to 2023-05, the weather service's positions of dongs of 2022-10,
 * borders of dongs of 2018) and the changes since, which are in `region-facts/changes.ts`. Run with the folder of the
 * tables.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { borderLines, dongAreas, readTopology, type Area } from './region-facts/borders.ts';
import { bucheonMergerDay, divided } from './region-facts/changes.ts';
import { formerLines } from './region-facts/formers.ts';
import { buildRegions } from './region-facts/lines.ts';
import { readDongTable, readSheet } from './region-facts/sheets.ts';

const output = path.join(import.meta.dirname, '../src/data/regions');
const legal = readDongTable('KIKcd_B.20230501(말소코드포함).xlsx', 5);
const administrative = readDongTable('KIKcd_H.20230501(말소코드포함).xlsx', 4);
const regions = buildRegions();
const dongs = buildDongs();
writeLines('regions.json', [...regions.values()].sort(byFirst));
writeLines(
  'dongs.json',
  [...dongs].map(([code, names]) => [code, [...names].sort().join(' ')]).sort(byFirst),
);
writeLines('divided.json', buildDividedCodes());
const formers = formerLines(regions, [...legal, ...administrative], dongs);
writeLines('former-regions.json', formers);
const topology = readTopology();
const areas = dongAreas(topology);
const partOfArea = partsByArea();
writeLines(
  'borders.json',
  borderLines(topology, (area) => partOfArea.get(area)),
);
writeLines('../../../sample/centres.json', buildCentres());

function buildDongs(): Map<string, Set<string>> {
  const names = new Map<string, Set<string>>();
  for (const dong of [...legal, ...administrative]) {
    if (dong.until !== null && dong.until !== bucheonMergerDay) continue;
    for (const code of currentSigungu(dong.sigungu, dong.name)) addTo(names, code, dong.name);
  }
  for (const parts of Object.values(divided)) {
    for (const [code, list] of parts) {
      for (const name of list.split(' ')) if (name !== '*') addTo(names, code, name);
    }
  }
  // A city with 일반구 lists no dongs: its 일반구 do.
  for (const code of names.keys()) {
    if ([...regions.values()].some((line) => line[3] === code && line[5] === null))
      names.delete(code);
  }
  return names;
}

/** Lines `[sigungu, current code, digits of its dongs]` for abolished municipalities that were divided. */
function buildDividedCodes(): string[][] {
  const digitsByPair = new Map<string, string[]>();
  for (const dong of [...legal, ...administrative]) {
    const successors = currentSuccessors(dong.sigungu);
    if (successors.length < 2) continue;
    const namesakes = successors.filter((code) => dongs.get(code)?.has(dong.name));
    const [code, second] =
      divided[dong.sigungu] === undefined ? namesakes : currentSigungu(dong.sigungu, dong.name);
    if (code === undefined || second !== undefined) continue;
    const key = `${dong.sigungu}>${code}`;
    digitsByPair.set(key, [...(digitsByPair.get(key) ?? []), dong.code.slice(5, 8)]);
  }
  return [...digitsByPair]
    .map(([key, digits]) => [...key.split('>'), [...new Set(digits)].sort().join(' ')])
    .sort(byFirst);
}

function readOffices(): Office[] {
  return readSheet('기상청_격자_위경도(20221027).xlsx').flatMap((row) => {
    const [country, code = '', , , name = ''] = row;
    if (country !== 'kor' || name === '') return [];
    return [{ lat: Number(row[14]), lon: Number(row[13]), sigungu: code.slice(0, 5), name }];
  });
}

/** Parts of current regions by the codes of their dongs of 2018. */
function partsByArea(): Map<string, string> {
  const sigunguOf = sigunguByOldCode(areas, readOffices());
  return new Map(
    areas.map(({ code, name }): [string, string] => {
      const [only, second] = currentSigungu(sigunguOf(code) ?? '', name);
      if (only === undefined || second !== undefined) throw new Error(`${name} has no one region.`);
      return [code, partAt(only, name)];
    }),
  );
}

/** Lines `[current code, "lat lon lat lon …"]`: the centres of dongs, for the sample's invented places. */
function buildCentres(): string[][] {
  const centres = Map.groupBy(areas, ({ code }) => partOfArea.get(code)?.split(' ')[0] ?? '');
  return [...centres]
    .map(([code, list]) => [
      code,
      list.map(({ lat, lon }) => `${lat.toFixed(3)} ${lon.toFixed(3)}`).join(' '),
    ])
    .sort(byFirst);
}

interface Office {
  readonly lat: number;
  readonly lon: number;
  readonly sigungu: string;
  readonly name: string;
}

/**
 * The part of a current region that contains a dong: the code of the region and the first of its dongs with the same
 * former regions as `name`; the code alone if all its dongs have the same.
 */
function partAt(current: string, name: string): string {
  const lists = formers
    .filter((line) => line[1] === current && line[2] !== '*')
    .map((line) => line[2].split(' '));
  const names = [...(dongs.get(current) ?? [])].sort();
  const haveSameFormers = (one: string, other: string): boolean =>
    lists.every(
      (list) =>
        list.includes(one) === list.includes(other) &&
        list.includes(`?${one}`) === list.includes(`?${other}`),
    );
  const isCurrentName = names.includes(normalisedName(name));
  if (lists.length === 0 || !isCurrentName) return current;
  return `${current} ${names.find((other) => haveSameFormers(normalisedName(name), other)) ?? ''}`.trimEnd();
}

/** Maps the statistics office's codes of dongs to sigungu, by the majority of nearby dongs of the same name. */
function sigunguByOldCode(
  areas: readonly Area[],
  offices: readonly Office[],
): (code: string) => string | undefined {
  const byCode = new Map<string, Map<string, number>>();
  for (const area of areas) {
    for (const office of offices) {
      if (
        normalisedName(office.name) !== normalisedName(area.name) ||
        distance(office, area) > 0.15
      )
        continue;
      const votes = byCode.get(area.code.slice(0, 5)) ?? new Map<string, number>();
      votes.set(office.sigungu, (votes.get(office.sigungu) ?? 0) + 1);
      byCode.set(area.code.slice(0, 5), votes);
    }
  }
  return (code) => [...(byCode.get(code.slice(0, 5)) ?? [])].sort((a, b) => b[1] - a[1])[0]?.[0];
}

/** Current municipalities of a dong; several if a border of theirs runs through the dong. */
function currentSigungu(sigungu: string, dong: string): string[] {
  if (sigungu === '36110') return ['36'];
  if (sigungu === '41190') return bucheon(dong);
  const parts = divided[sigungu];
  if (parts !== undefined) {
    const withDong = parts.filter(([, list]) => list.split(' ').includes(dong));
    const found = withDong.length > 0 ? withDong : parts.filter(([, list]) => list === '*');
    return found.map(([code]) => code);
  }
  return currentSuccessors(sigungu);
}

/**
 * Current 구 of a dong in 부천. The 구 of 부천 were abolished in 2016, when dongs were merged into larger ones, and
 * restored in 2024.
 */
function bucheon(dong: string): string[] {
  const largerDongs = { '41192': '부천동 신중동', '41194': '대산동 범안동', '41196': '성곡동' };
  const listed = Object.entries(largerDongs).find(([, list]) => list.split(' ').includes(dong));
  if (listed !== undefined) return [listed[0]];
  const before = [...legal, ...administrative].filter(
    ({ sigungu, name, until }) =>
      name === dong && until === bucheonMergerDay && ['41195', '41197', '41199'].includes(sigungu),
  );
  return [...new Set(before.flatMap(({ sigungu }) => currentSuccessors(sigungu)))];
}

/** Codes of the current successors of a region; its own code if it is current. */
function currentSuccessors(code: string): string[] {
  const line = regions.get(code);
  if (line === undefined) return [];
  return line[5] === null ? [code] : [...new Set(line[6].flatMap(currentSuccessors))];
}

function addTo(names: Map<string, Set<string>>, code: string, name: string): void {
  const set = names.get(code) ?? new Set();
  names.set(code, set.add(normalisedName(name)));
}

/** Removes dots and 제, which sources write or omit: 종로1.2.3.4가동, 종로1·2·3·4가동; 성수1가제1동, 성수1가1동. */
function normalisedName(name: string): string {
  return name.replace(/[.·,\s]|제(?=\d)/g, '');
}

function distance(a: { lat: number; lon: number }, b: { lat: number; lon: number }): number {
  return Math.max(Math.abs(a.lat - b.lat), Math.abs(a.lon - b.lon));
}

function byFirst(a: readonly unknown[], b: readonly unknown[]): number {
  return String(a[0]) < String(b[0]) ? -1 : 1;
}

function writeLines(file: string, lines: readonly unknown[]): void {
  const text = `[\n${lines.map((line) => JSON.stringify(line)).join(',\n')}\n]\n`;
  writeFileSync(path.join(output, file), text);
}
