/**
 * Writes `src/data/regions/{regions,dongs,points}.json` from the official code tables (legal and
 * administrative dongs up to 2023-05, the weather service's dong positions of 2022-10, dong borders of
 * 2018) and the changes since, which are written out below. Run: `node tools/regions.ts <tables folder>`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { read, utils } from '@e965/xlsx';

/** [code, name, short, parent, since, until, successors]: one line of `regions.json`. */
type RegionLine = [string, string, string, string | null, string, string | null, string[]];

interface Dong {
  readonly code: string;
  readonly sigungu: string;
  readonly name: string;
  readonly since: string;
  readonly until: string | null;
}

const tables = process.argv[2] ?? path.join(import.meta.dirname, '../../shared/data');
const output = path.join(import.meta.dirname, '../src/data/regions');

/** Codes older than this are of municipalities that the data of this century never names. */
const oldest = '1995-01-01';
/** 21–25 were the 직할시 until 1995; later tables give these numbers to other regions. */
const retiredPrefixes = ['21', '22', '23', '24', '25'];

const sidoChanges: readonly (readonly [from: string, to: string, name: string, since: string])[] = [
  ['42', '51', '강원특별자치도', '2023-06-11'],
  ['45', '52', '전북특별자치도', '2024-01-18'],
  ['29', '12', '전남광주통합특별시', '2026-07-01'],
  ['46', '12', '전남광주통합특별시', '2026-07-01'],
];

/** Old and new numbers of the municipalities of 전남광주통합특별시. */
const gwangjuJeonnam =
  '46110>12110 46130>12130 46150>12150 46170>12170 46230>12190 29110>12210 29140>12240 29155>12270 ' +
  '29170>12300 29200>12330 46710>12710 46720>12720 46730>12730 46770>12740 46780>12750 46790>12760 ' +
  '46800>12770 46810>12780 46820>12790 46830>12800 46840>12810 46860>12820 46870>12830 46880>12840 ' +
  '46890>12850 46900>12860 46910>12870';

/** The day on which 부천 lost its 구 and their dongs, until 2024. */
const bucheonUnited = '2016-07-04';

/** Municipalities that are newer than the tables. */
const newRegions: readonly (readonly [code: string, name: string, since: string])[] = [
  ['27720', '군위군', '2023-07-01'],
  ['41192', '부천시 원미구', '2024-01-01'],
  ['41194', '부천시 소사구', '2024-01-01'],
  ['41196', '부천시 오정구', '2024-01-01'],
  ['41591', '화성시 만세구', '2026-02-01'],
  ['41593', '화성시 효행구', '2026-02-01'],
  ['41595', '화성시 병점구', '2026-02-01'],
  ['41597', '화성시 동탄구', '2026-02-01'],
  ['28125', '제물포구', '2026-07-01'],
  ['28155', '영종구', '2026-07-01'],
  ['28275', '서해구', '2026-07-01'],
  ['28290', '검단구', '2026-07-01'],
];

/** Where an abolished municipality went: checked by the dongs that changed codes on the same day. */
const successions =
  '28110>28125,28155 28140>28125 28170>28177 28230>28237,28245 28260>28275,28290 41195>41192 ' +
  '41197>41194 41199>41196 41230>41220 41283>41285,41287 41330>41220 41350>41360 41710>41630 ' +
  '41720>41360 41730>41670 41740>41220 41750>41590 41770>41480 41790>41610 41810>41650 41840>41500 ' +
  '41850>41460 41860>41550 41870>41570 41880>28710 41890>28720 42715>42110 42745>42130 42840>42150 ' +
  '42850>42230 43710>43111,43112,43113,43114 43780>43130 43795>43150 44170>44180 44190>44200 ' +
  '44730>36 44740>44150 44750>44230 44780>44180 44820>44210 44830>44270 44840>44200 44860>44130 ' +
  '45150>45140 45170>45180 45760>45190 45780>45180 45810>45210 45820>45130 45830>45140 46190>46130 ' +
  '46210>46230 46740>46230 46750>46130 46760>46150 46850>46170 47270>47280 47710>27710 47720>27720 ' +
  '47740>47170 47780>47111,47113 47795>47130 47800>47230 47810>47290 47860>47150 47870>47190 ' +
  '47880>47250 47890>47280 47910>47210 48110>48121,48123 48130>31110,31140,31170,31200,31710 ' +
  '48131>31110,31200 48133>31140 48135>31170 48137>31710 48150>48160 48151>48160 48153>48160 ' +
  '48160>48125,48127 48190>48129 48210>48220 48230>48240 48290>48310 48710>48170 48750>48270 ' +
  '48760>48330,26710 48775>48137 48780>48250 48795>48151,48153,48110 48800>48220 48810>48310 48830>48240 ' +
  '49110>50110 49130>50130 49710>50110 49720>50130 49>50';

/** Dongs of the municipalities divided since; 백석동 and 시천동 carry 검단구 codes since 2026-07. */
const divided: Readonly<Record<string, readonly (readonly [code: string, dongs: string])[]>> = {
  '28110': [
    [
      '28155',
      '중산동 운남동 운서동 운북동 을왕동 남북동 덕교동 무의동 영종동 영종1동 영종2동 용유동',
    ],
    ['28125', '*'],
  ],
  '28140': [['28125', '*']],
  '28260': [
    [
      '28290',
      '백석동 시천동 마전동 당하동 원당동 대곡동 금곡동 오류동 왕길동 불로동 검단동 불로대곡동 오류왕길동 아라동 검단1동 검단2동 검단3동 검단4동 검단5동',
    ],
    ['28275', '*'],
  ],
  '41590': [
    ['41591', '우정읍 향남읍 남양읍 마도면 송산면 서신면 팔탄면 장안면 양감면 새솔동'],
    ['41593', '봉담읍 매송면 비봉면 정남면 기배동 기안동 배양동'],
    [
      '41595',
      '진안동 병점동 병점1동 병점2동 기산동 반월동 반정동 화산동 황계동 송산동 안녕동 능동',
    ],
    [
      '41597',
      '동탄1동 동탄2동 동탄3동 동탄4동 동탄5동 동탄6동 동탄7동 동탄8동 동탄9동 반송동 석우동 오산동 ' +
        '청계동 영천동 중동 신동 목동 산척동 장지동 송동 방교동 금곡동 능동',
    ],
  ],
};

const shortSidos: Readonly<Record<string, string>> = {
  전남광주통합특별시: '전남광주',
  세종특별자치시: '세종',
  강원특별자치도: '강원',
  전북특별자치도: '전북',
  제주특별자치도: '제주',
  충청북도: '충북',
  충청남도: '충남',
  전라북도: '전북',
  전라남도: '전남',
  경상북도: '경북',
  경상남도: '경남',
};

/** At the middle of Korea, which is near enough to walk along a border. */
const [kmPerLat, kmPerLon] = [111, 88];
/** In towns the nearest dong is often beyond the border: points a little to either side make it plain. */
const border = { squareKmMax: 12, stepKm: 0.5, offsetKm: 0.11 };

const legal = dongTable('KIKcd_B.20230501(말소코드포함).xlsx', 5);
const administrative = dongTable('KIKcd_H.20230501(말소코드포함).xlsx', 4);
const regions = buildRegions();
const dongs = buildDongs();
writeLines('regions.json', [...regions.values()].sort(byFirst));
writeLines(
  'dongs.json',
  [...dongs].map(([code, names]) => [code, [...names].sort().join(' ')]).sort(byFirst),
);
writeLines('divided.json', buildDividedCodes());
writeLines('points.json', buildPoints());

/** Regions of the tables, then every change since in the order of its date. */
function buildRegions(): Map<string, RegionLine> {
  const lines = new Map<string, RegionLine>();
  for (const [code, sido, sigungu, since, until] of regionRows()) {
    if (retiredPrefixes.includes(code.slice(0, 2)) || (until !== null && until < oldest)) continue;
    if (sigungu.includes('출장') || sigungu.endsWith('출') || sido.endsWith('출장소')) continue;
    const name = sigungu === '' ? sido : sigungu;
    lines.set(code, [code, name, shortName(name), null, since, until, []]);
  }
  for (const [code, name, since] of newRegions) {
    lines.set(code, [code, name, shortName(name), null, since, null, []]);
  }
  renumberSidos(lines);
  for (const [from, to] of pairs(successions)) {
    const line = lines.get(from);
    if (line === undefined) throw new Error(`No region ${from} to succeed.`);
    line[6] = to.split(',');
  }
  for (const line of lines.values()) finish(line, lines);
  return lines;
}

function* regionRows(): Generator<[string, string, string, string, string | null]> {
  for (const row of sheet('KIKcd_B.20230501(말소코드포함).xlsx')) {
    const [code = '', sido = '', sigungu = '', eupmyeondong = '', , since = '', until = ''] = row;
    if (eupmyeondong !== '' || !code.endsWith('00000')) continue;
    if (code === '3611000000') continue;
    const short = code.endsWith('00000000') ? code.slice(0, 2) : code.slice(0, 5);
    yield [short, sido, sigungu, isoDate(since), until === '' ? null : isoDate(until)];
  }
}

function renumberSidos(lines: Map<string, RegionLine>): void {
  const renumbered = new Map(pairs(gwangjuJeonnam));
  for (const [from, to, name, since] of sidoChanges) {
    const sido = lines.get(from);
    if (sido === undefined) throw new Error(`No sido ${from}.`);
    lines.set(to, [to, name, shortName(name), null, since, null, []]);
    sido[5] = since;
    sido[6] = [to];
    for (const line of lines.values()) {
      if (line[0].length !== 5 || !line[0].startsWith(from) || line[5] !== null) continue;
      const code = to === '12' ? renumbered.get(line[0]) : to + line[0].slice(2);
      if (code === undefined) throw new Error(`No new number for ${line[0]}.`);
      lines.set(code, [code, line[1], line[2], null, since, null, []]);
      line[5] = since;
      line[6] = [code];
    }
  }
}

/** Dates of abolition follow from the successors; a 일반구 hangs under its city. */
function finish(line: RegionLine, lines: Map<string, RegionLine>): void {
  const [code, name] = line;
  if (line[6].length > 0 && line[5] === null) {
    const successor = lines.get(line[6][0] ?? '');
    if (successor === undefined) throw new Error(`${code} is succeeded by an unknown region.`);
    line[5] = successor[4];
  }
  if (line[5] !== null && line[6].length === 0)
    throw new Error(`${code} ${name} has no successor.`);
  if (code.length === 2) return;
  const city = name.includes(' ') ? name.slice(0, name.indexOf(' ')) : null;
  const parent = [...lines.values()].find(
    (other) =>
      other[1] === city && other[0].slice(0, 4) === code.slice(0, 4) && other[0].endsWith('0'),
  );
  line[3] = parent?.[0] ?? code.slice(0, 2);
  if (city !== null && parent === undefined)
    throw new Error(`${code} ${name}: its city is not in the table.`);
}

function buildDongs(): Map<string, Set<string>> {
  const names = new Map<string, Set<string>>();
  for (const dong of [...legal, ...administrative]) {
    if (dong.until !== null && dong.until !== bucheonUnited) continue;
    for (const code of livingSigungu(dong.sigungu, dong.name)) addTo(names, code, dong.name);
  }
  for (const parts of Object.values(divided)) {
    for (const [code, list] of parts) {
      for (const name of list.split(' ')) if (name !== '*') addTo(names, code, name);
    }
  }
  // Cities with 일반구 have their dongs there: their own list would only repeat them.
  for (const code of names.keys()) {
    if ([...regions.values()].some((line) => line[3] === code && line[5] === null))
      names.delete(code);
  }
  return names;
}

/** Which part of an abolished municipality a dong code lies in: [sigungu, dong digits, living code]. */
function buildDividedCodes(): string[][] {
  const found = new Map<string, string[]>();
  for (const dong of [...legal, ...administrative]) {
    const ends = livingEnds(dong.sigungu);
    if (ends.length < 2) continue;
    const within = ends.filter((code) => dongs.get(code)?.has(dong.name));
    const living =
      divided[dong.sigungu] === undefined ? within : livingSigungu(dong.sigungu, dong.name);
    const [only, second] = living;
    if (only === undefined || second !== undefined) continue;
    const key = `${dong.sigungu}>${only}`;
    found.set(key, [...(found.get(key) ?? []), dong.code.slice(5, 8)]);
  }
  return [...found]
    .map(([key, digits]) => [...key.split('>'), [...new Set(digits)].sort().join(' ')])
    .sort(byFirst);
}

/** [living code, "lat lon lat lon …"]: offices of dongs, middles of their areas, both sides of borders. */
function buildPoints(): string[][] {
  const offices: { lat: number; lon: number; sigungu: string; name: string; codes: string[] }[] =
    [];
  for (const row of sheet('기상청_격자_위경도(20221027).xlsx')) {
    const [country, code = '', , , name = ''] = row;
    if (country !== 'kor' || name === '') continue;
    const sigungu = code.slice(0, 5);
    const codes = livingSigungu(sigungu, name);
    offices.push({ lat: Number(row[14]), lon: Number(row[13]), sigungu, name, codes });
  }
  const points = new Map<string, string[]>();
  for (const { lat, lon, codes } of offices) {
    if (codes.length === 1) place(points, codes[0], lat, lon);
  }
  const topology = readTopology();
  const areas = dongAreas(topology);
  const sigunguOf = sigunguByOldCode(areas, offices);
  const living = new Map<string, string>();
  for (const area of areas) {
    const codes = livingSigungu(sigunguOf(area.code) ?? '', area.name);
    const [only] = codes;
    if (only === undefined || codes.length > 1) continue;
    living.set(area.code, only);
    place(points, only, area.lat, area.lon);
  }
  for (const { code, lat, lon } of borderPoints(topology, areas, living))
    place(points, code, lat, lon);
  return [...points].map(([code, list]) => [code, list.join(' ')]).sort(byFirst);
}

/** The borders use the statistics office's codes: most dongs of the same name nearby tell the legal one. */
function sigunguByOldCode(
  areas: readonly Area[],
  offices: readonly { lat: number; lon: number; sigungu: string; name: string }[],
): (code: string) => string | undefined {
  const byCode = new Map<string, Map<string, number>>();
  for (const area of areas) {
    for (const office of offices) {
      if (plain(office.name) !== plain(area.name) || distance(office, area) > 0.15) continue;
      const votes = byCode.get(area.code.slice(0, 5)) ?? new Map<string, number>();
      votes.set(office.sigungu, (votes.get(office.sigungu) ?? 0) + 1);
      byCode.set(area.code.slice(0, 5), votes);
    }
  }
  return (code) => [...(byCode.get(code.slice(0, 5)) ?? [])].sort((a, b) => b[1] - a[1])[0]?.[0];
}

function place(
  points: Map<string, string[]>,
  code: string | undefined,
  lat: number,
  lon: number,
): void {
  if (code === undefined || !Number.isFinite(lat + lon)) return;
  points.set(code, [...(points.get(code) ?? []), `${lat.toFixed(3)} ${lon.toFixed(3)}`]);
}

interface Area {
  readonly code: string;
  readonly name: string;
  readonly lat: number;
  readonly lon: number;
  readonly squareKm: number;
}

function readTopology(): Topology {
  const file = path.join(tables, 'boundaries-2018/skorea-submunicipalities-2018-topo-simple.json');
  const topology = JSON.parse(readFileSync(file, 'utf8')) as Topology;
  const { scale, translate } = topology.transform;
  const arcs = topology.arcs.map((arc) => {
    let [x, y] = [0, 0];
    return arc.map(([dx, dy]): [number, number] => {
      x += dx;
      y += dy;
      return [x * scale[0] + translate[0], y * scale[1] + translate[1]];
    });
  });
  return { ...topology, arcs };
}

/** Middles of the largest part of each dong of 2018. */
function dongAreas({ arcs, objects }: Topology): Area[] {
  return Object.values(objects).flatMap(({ geometries }) =>
    geometries.map((geometry) => {
      const middles = polygonsOf(geometry).map(([ring = []]) =>
        middle(
          ring.flatMap((arc) => (arc < 0 ? [...(arcs[~arc] ?? [])].reverse() : (arcs[arc] ?? []))),
        ),
      );
      const [largest] = middles.sort((a, b) => b.size - a.size);
      if (largest === undefined) throw new Error(`${geometry.properties.name} has no area.`);
      const squareKm = (largest.size / 2) * kmPerLat * kmPerLon;
      return { ...geometry.properties, lat: largest.lat, lon: largest.lon, squareKm };
    }),
  );
}

function polygonsOf({ type, arcs }: Geometry): number[][][] {
  return type === 'MultiPolygon' ? (arcs as number[][][]) : [arcs as number[][]];
}

/** Rings run clockwise: what lies right of an arc is the dong that uses it forwards. */
function* borderPoints(
  { arcs, objects }: Topology,
  areas: readonly Area[],
  living: ReadonlyMap<string, string>,
): Generator<{ code: string; lat: number; lon: number }> {
  const [right, left] = [new Map<number, string>(), new Map<number, string>()];
  for (const geometry of Object.values(objects).flatMap(({ geometries }) => geometries)) {
    for (const arc of polygonsOf(geometry).flat(2)) {
      if (arc < 0) left.set(~arc, geometry.properties.code);
      else right.set(arc, geometry.properties.code);
    }
  }
  const size = new Map(areas.map(({ code, squareKm }) => [code, squareKm]));
  for (const [at, points] of arcs.entries()) {
    const [one, other] = [right.get(at) ?? '', left.get(at) ?? ''];
    const [here, there] = [living.get(one), living.get(other)];
    if (here === undefined || there === undefined || here === there) continue;
    if (Math.min(size.get(one) ?? 0, size.get(other) ?? 0) > border.squareKmMax) continue;
    for (const { lat, lon, north, east } of walk(points)) {
      yield { code: here, lat: lat - north, lon: lon - east };
      yield { code: there, lat: lat + north, lon: lon + east };
    }
  }
}

/** Points along an arc at equal steps, each with the offset to its left. */
function* walk(
  points: readonly (readonly [number, number])[],
): Generator<{ lat: number; lon: number; north: number; east: number }> {
  let next = border.stepKm / 2;
  for (let index = 1; index < points.length; index++) {
    const [x0, y0] = points[index - 1] ?? [0, 0];
    const [x1, y1] = points[index] ?? [0, 0];
    const [east, north] = [(x1 - x0) * kmPerLon, (y1 - y0) * kmPerLat];
    const length = Math.hypot(east, north);
    for (; next < length; next += border.stepKm) {
      yield {
        lon: x0 + ((x1 - x0) * next) / length,
        lat: y0 + ((y1 - y0) * next) / length,
        east: (-north / length) * (border.offsetKm / kmPerLon),
        north: (east / length) * (border.offsetKm / kmPerLat),
      };
    }
    next -= length;
  }
}

/** TopoJSON; once read, its arcs are degrees. */
interface Topology {
  readonly transform: { readonly scale: [number, number]; readonly translate: [number, number] };
  readonly arcs: readonly (readonly [number, number][])[];
  readonly objects: Readonly<Record<string, { readonly geometries: readonly Geometry[] }>>;
}

interface Geometry {
  readonly type: string;
  readonly arcs: number[][] | number[][][];
  readonly properties: { readonly code: string; readonly name: string };
}

function middle(ring: readonly [number, number][]): { lat: number; lon: number; size: number } {
  let [area, x, y] = [0, 0, 0];
  for (let index = 0; index < ring.length; index++) {
    const [x0, y0] = ring[index] ?? [0, 0];
    const [x1, y1] = ring[(index + 1) % ring.length] ?? [0, 0];
    const cross = x0 * y1 - x1 * y0;
    area += cross;
    x += (x0 + x1) * cross;
    y += (y0 + y1) * cross;
  }
  return { lat: y / (3 * area), lon: x / (3 * area), size: Math.abs(area) };
}

/** Living municipalities a dong can lie in; more than one when the border runs through it. */
function livingSigungu(sigungu: string, dong: string): string[] {
  if (sigungu === '36110') return ['36'];
  if (sigungu === '41190') return bucheon(dong);
  const parts = divided[sigungu];
  if (parts !== undefined) {
    const named = parts.filter(([, list]) => list.split(' ').includes(dong)).map(([code]) => code);
    return named.length > 0
      ? named
      : parts.filter(([, list]) => list === '*').map(([code]) => code);
  }
  return livingEnds(sigungu);
}

/** The 구 of 부천 came back in 2024 as they were in 2016; the wide dongs of between are named here. */
function bucheon(dong: string): string[] {
  const wide = { '41192': '부천동 신중동', '41194': '대산동 범안동', '41196': '성곡동' };
  const named = Object.entries(wide).find(([, list]) => list.split(' ').includes(dong));
  if (named !== undefined) return [named[0]];
  const before = [...legal, ...administrative].filter(
    ({ sigungu, name, until }) =>
      name === dong && until === bucheonUnited && ['41195', '41197', '41199'].includes(sigungu),
  );
  return [...new Set(before.flatMap(({ sigungu }) => livingEnds(sigungu)))];
}

function livingEnds(code: string): string[] {
  const line = regions.get(code);
  if (line === undefined) return [];
  return line[5] === null ? [code] : [...new Set(line[6].flatMap(livingEnds))];
}

function dongTable(file: string, columns: 4 | 5): Dong[] {
  const dongList: Dong[] = [];
  for (const row of sheet(file)) {
    const [code = '', , , name = ''] = row;
    if (name === '' || (columns === 5 && (row[4] ?? '') !== '')) continue;
    const [since = '', until = ''] = row.slice(columns);
    dongList.push({
      code,
      sigungu: code.slice(0, 5),
      name,
      since: isoDate(since),
      until: until === '' ? null : isoDate(until),
    });
  }
  return dongList;
}

/** Rows of the first sheet without its header, as text. */
function sheet(file: string): string[][] {
  const book = read(readFileSync(path.join(tables, 'region-codes', file)));
  const first = book.Sheets[book.SheetNames[0] ?? ''];
  if (first === undefined) throw new Error(`${file} has no sheet.`);
  const rows = utils.sheet_to_json<unknown[]>(first, { header: 1, defval: '', raw: true });
  return rows.slice(1).map((row) => row.map((cell) => String(cell).trim()));
}

function shortName(name: string): string {
  const own = name.slice(name.indexOf(' ') + 1);
  if (own !== name) return own;
  const special = shortSidos[name];
  if (special !== undefined) return special;
  const stem = own.replace(/(특별시|광역시|특별자치시|특별자치도|통합특별시|[도시군구])$/, '');
  return stem.length >= 2 ? stem : own;
}

function pairs(text: string): [from: string, to: string][] {
  return text.split(' ').map((pair) => {
    const [from = '', to = ''] = pair.split('>');
    return [from, to];
  });
}

function addTo(names: Map<string, Set<string>>, code: string, name: string): void {
  const set = names.get(code) ?? new Set();
  names.set(code, set.add(plain(name)));
}

/** Dots and 제 come and go: 종로1.2.3.4가동, 종로1·2·3·4가동; 성수1가제1동, 성수1가1동. */
function plain(name: string): string {
  return name.replace(/[.·,\s]|제(?=\d)/g, '');
}

function distance(a: { lat: number; lon: number }, b: { lat: number; lon: number }): number {
  return Math.max(Math.abs(a.lat - b.lat), Math.abs(a.lon - b.lon));
}

function isoDate(digits: string): string {
  return `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6, 8)}`;
}

function byFirst(a: readonly unknown[], b: readonly unknown[]): number {
  return String(a[0]) < String(b[0]) ? -1 : 1;
}

function writeLines(file: string, lines: readonly unknown[]): void {
  const text = `[\n${lines.map((line) => JSON.stringify(line)).join(',\n')}\n]\n`;
  writeFileSync(path.join(output, file), text);
}
