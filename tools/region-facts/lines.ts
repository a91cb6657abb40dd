import {
  gwangjuJeonnam,
  newRegions,
  oldestEnd,
  retiredPrefixes,
  sidoChanges,
  successions,
} from './changes.ts';
import { isoDate, readSheet } from './sheets.ts';

/** [code, name, short, parent, since, until, successors]: one line of `regions.json`. */
export type RegionLine = [string, string, string, string | null, string, string | null, string[]];

/** Builds the regions of the tables and of the changes since. */
export function buildRegions(): Map<string, RegionLine> {
  const lines = new Map<string, RegionLine>();
  for (const [code, sido, sigungu, since, until] of regionRows()) {
    if (retiredPrefixes.includes(code.slice(0, 2)) || (until ?? oldestEnd) < oldestEnd) continue;
    if (sigungu.includes('출장') || sigungu.endsWith('출') || sido.endsWith('출장소')) continue;
    const name = sigungu === '' ? sido : sigungu;
    lines.set(code, [code, name, shortName(name), null, since, until, []]);
  }
  for (const [code, name, since] of newRegions) {
    lines.set(code, [code, name, shortName(name), null, since, null, []]);
  }
  renumberSidos(lines);
  for (const [from, to] of parsePairs(successions)) {
    const line = lines.get(from);
    if (line === undefined) throw new Error(`The tables lack the region ${from}.`);
    line[6] = to.split(',');
  }
  for (const line of lines.values()) completeLine(line, lines);
  return lines;
}

function* regionRows(): Generator<[string, string, string, string, string | null]> {
  for (const row of readSheet('KIKcd_B.20230501(말소코드포함).xlsx')) {
    const [code = '', sido = '', sigungu = '', eupmyeondong = '', , since = '', until = ''] = row;
    if (eupmyeondong !== '' || !code.endsWith('00000')) continue;
    if (code === '3611000000') continue;
    const short = code.endsWith('00000000') ? code.slice(0, 2) : code.slice(0, 5);
    yield [short, sido, sigungu, isoDate(since), until === '' ? null : isoDate(until)];
  }
}

function renumberSidos(lines: Map<string, RegionLine>): void {
  const renumbered = new Map(parsePairs(gwangjuJeonnam));
  for (const [from, to, name, since] of sidoChanges) {
    const sido = lines.get(from);
    if (sido === undefined) throw new Error(`The tables lack the sido ${from}.`);
    lines.set(to, [to, name, shortName(name), null, since, null, []]);
    sido[5] = since;
    sido[6] = [to];
    for (const line of lines.values()) {
      if (line[0].length !== 5 || !line[0].startsWith(from) || line[5] !== null) continue;
      const code = to === '12' ? renumbered.get(line[0]) : to + line[0].slice(2);
      if (code === undefined) throw new Error(`gwangjuJeonnam lacks ${line[0]}.`);
      lines.set(code, [code, line[1], line[2], null, since, null, []]);
      line[5] = since;
      line[6] = [code];
    }
  }
}

/**
 * Sets the date of abolition, if the tables lack it, to the first day of the first successor, and the parent: the city
 * of a 일반구, the sido of any other sigungu.
 */
function completeLine(line: RegionLine, lines: Map<string, RegionLine>): void {
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

function shortName(name: string): string {
  const own = name.slice(name.indexOf(' ') + 1);
  if (own !== name) return own;
  const special = shortSidos[name];
  if (special !== undefined) return special;
  const stem = own.replace(/(특별시|광역시|특별자치시|특별자치도|통합특별시|[도시군구])$/, '');
  return stem.length >= 2 ? stem : own;
}

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

function parsePairs(text: string): [from: string, to: string][] {
  return text.split(' ').map((pair) => {
    const [from = '', to = ''] = pair.split('>');
    return [from, to];
  });
}
