import { oldestEnd, renamedDongs } from './changes.ts';
import type { RegionLine } from './lines.ts';
import type { Dong } from './sheets.ts';

/**
 * [code of the former region, code of the current one, dongs of the current region that lay in the former one]. A dong
 * has a `?` before it if the tables do not decide; `*` stands for all dongs.
 */
type FormerLine = [former: string, current: string, dongs: string];

/**
 * Lists, by abolished municipality, the current dongs that lay in it; a municipality with the area of a current one is
 * left out. A dong lay in it if a dong of this name did, and no other origin of the current municipality had the name.
 */
export function formerLines(
  regions: ReadonlyMap<string, RegionLine>,
  rows: readonly Dong[],
  currentDongs: ReadonlyMap<string, ReadonlySet<string>>,
): FormerLine[] {
  const dongs = rows
    .filter(({ name, until }) => !name.endsWith('출장소') && (until ?? oldestEnd) >= oldestEnd)
    .map((row) => (row.sigungu === '36110' ? { ...row, sigungu: '36' } : row));
  const lineage = new Lineage(regions);
  const found: FormerLine[] = [];
  for (const [former, , , , , until] of regions.values()) {
    if (until === null || former.length === 2) continue;
    const lines = lineage.currentSuccessors(former).flatMap((current): FormerLine[] => {
      const pair = new DongsOfPair(former, current, lineage, dongs);
      const hasOthers = lineage.otherOrigins(former, current).size > 0;
      if (!hasOthers && pair.hasAll()) return [[former, current, '*']];
      const listed = [...(currentDongs.get(current) ?? [])]
        .filter((name) => !name.endsWith('출장소'))
        .map((name) => pair.mark(name))
        .filter((name) => name !== '');
      return listed.length === 0 ? [] : [[former, current, listed.sort().join(' ')]];
    });
    // A single `*` means that the former region equals the current one.
    if (lines.length > 1 || lines[0]?.[2] !== '*') found.push(...lines);
  }
  return found;
}

/** Removes what may differ between names of one dong: dots, 제, and whether it is a 읍 or a 면. */
function stem(name: string): string {
  return name.replace(/[.·,\s]|제(?=\d)/g, '').replace(/[읍면]$/, '-');
}

/** Names of dongs of a former region and of a current one that succeeds it. */
class DongsOfPair {
  /** Names of dongs that the former region had. */
  readonly #own: ReadonlySet<string>;
  /** Names of dongs that came to the current region from elsewhere. */
  readonly #foreign = new Set<string>();

  constructor(former: string, current: string, lineage: Lineage, rows: readonly Dong[]) {
    const family = lineage.family(former);
    const own = new Set(
      rows.flatMap(({ sigungu, name }) => (family.has(sigungu) ? [stem(name)] : [])),
    );
    this.#own = own;
    const others = lineage.otherOrigins(former, current);
    const between = lineage.between(former, current);
    const until = lineage.until(former);
    const moved = new Set(
      rows.flatMap((row) => (family.has(row.sigungu) ? [] : [`${stem(row.name)} ${row.until}`])),
    );
    for (const { sigungu, name, since } of rows) {
      const key = stem(name);
      // The dong belonged to another origin, or was moved in later.
      const isForeign =
        others.has(sigungu) ||
        (between.has(sigungu) &&
          (since < until || (!own.has(key) && moved.has(`${key} ${since}`))));
      if (isForeign) this.#foreign.add(key);
    }
    for (const [code, now, before] of renamedDongs) {
      if (code === current) (own.has(stem(before)) ? own : this.#foreign).add(stem(now));
    }
  }

  /** True if every name from elsewhere is a name of the former region too. */
  hasAll(): boolean {
    return [...this.#foreign].every((name) => this.#own.has(name));
  }

  /** The name of a dong that lay in the former region, after `?` if that is uncertain; empty for any other dong. */
  mark(name: string): string {
    const key = stem(name);
    const isForeign = this.#foreign.has(key);
    if (this.#own.has(key) === isForeign) return `?${name}`;
    return isForeign ? '' : name;
  }
}

class Lineage {
  readonly #regions: ReadonlyMap<string, RegionLine>;

  constructor(regions: ReadonlyMap<string, RegionLine>) {
    this.#regions = regions;
  }

  until(code: string): string {
    return this.#regions.get(code)?.[5] ?? '';
  }

  /** Codes of the current successors of a region; its own code if it is current. */
  currentSuccessors(code: string): string[] {
    const line = this.#regions.get(code);
    if (line === undefined || line[5] === null) return [code];
    return [...new Set(line[6].flatMap((next) => this.currentSuccessors(next)))];
  }

  /** Regions between a former and a current one, the current one included. */
  between(former: string, current: string): Set<string> {
    return this.#after(former).intersection(this.#before(current).add(current));
  }

  /** A region and its 일반구. */
  family(code: string): Set<string> {
    const parts = [...this.#regions.values()].filter((line) => line[3] === code);
    return new Set([code, ...parts.map(([own]) => own)]);
  }

  /**
   * Regions that became part of the current one, but not by way of the former one: without the former region, its
   * 일반구, its city, its predecessors and its successors.
   */
  otherOrigins(former: string, current: string): Set<string> {
    const family = this.family(former);
    const own = family.union(this.#after(former));
    for (const code of family) for (const one of this.#before(code)) own.add(one);
    // A city and its 일반구 are the same origin.
    for (const code of [former, ...this.between(former, current)]) own.add(this.#parent(code));
    return this.#before(current).difference(own);
  }

  #parent(code: string): string {
    return this.#regions.get(code)?.[3] ?? '';
  }

  #after(code: string): Set<string> {
    const next = this.#regions.get(code)?.[6] ?? [];
    return new Set(next.flatMap((one) => [one, ...this.#after(one)]));
  }

  #before(code: string): Set<string> {
    const previous = [...this.#regions.values()].filter((line) => line[6].includes(code));
    return new Set(previous.flatMap(([one]) => [one, ...this.#before(one)]));
  }
}
