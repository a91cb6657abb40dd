import { oldestEnd, renamedDongs } from './changes.ts';
import type { RegionLine } from './lines.ts';
import type { Dong } from './sheets.ts';

/** [former code, current code, `*` or the dongs that lay in the former one, with `?` where the tables do not decide]. */
type FormerLine = [former: string, living: string, dongs: string];

/**
 * Lists the dongs that lay in each abolished municipality, unless it equals a current one. A dong lay there if it had
 * its name there and no other origin of its current municipality had a dong of that name.
 */
export function formerLines(
  regions: ReadonlyMap<string, RegionLine>,
  rows: readonly Dong[],
  livingDongs: ReadonlyMap<string, ReadonlySet<string>>,
): FormerLine[] {
  const dongs = rows
    .filter(({ name, until }) => !name.endsWith('출장소') && (until ?? oldestEnd) >= oldestEnd)
    .map((row) => (row.sigungu === '36110' ? { ...row, sigungu: '36' } : row));
  const lineage = new Lineage(regions);
  const found: FormerLine[] = [];
  for (const [former, , , , , until] of regions.values()) {
    if (until === null || former.length === 2) continue;
    const parts = lineage.ends(former).flatMap((living): FormerLine[] => {
      const pair = new DongsOfPair(former, living, lineage, dongs);
      const hasOthers = lineage.otherOrigins(former, living).size > 0;
      if (!hasOthers && pair.hasAll()) return [[former, living, '*']];
      const listed = [...(livingDongs.get(living) ?? [])]
        .filter((name) => !name.endsWith('출장소'))
        .map((name) => pair.mark(name))
        .filter((name) => name !== '');
      return listed.length === 0 ? [] : [[former, living, listed.sort().join(' ')]];
    });
    // A single `*` means that the former region equals the current one.
    if (parts.length > 1 || parts[0]?.[2] !== '*') found.push(...parts);
  }
  return found;
}

/** Removes dots, 제 and the suffix of 읍 and 면, in which names of one dong differ. */
function stem(name: string): string {
  return name.replace(/[.·,\s]|제(?=\d)/g, '').replace(/[읍면]$/, '-');
}

/** Dongs of a former region and of a current one that succeeds it. */
class DongsOfPair {
  readonly #own: ReadonlySet<string>;
  readonly #foreign = new Set<string>();

  constructor(former: string, living: string, lineage: Lineage, rows: readonly Dong[]) {
    const family = lineage.family(former);
    const own = new Set(
      rows.flatMap(({ sigungu, name }) => (family.has(sigungu) ? [stem(name)] : [])),
    );
    this.#own = own;
    const others = lineage.otherOrigins(former, living);
    const between = lineage.between(former, living);
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
      if (code === living) (own.has(stem(before)) ? own : this.#foreign).add(stem(now));
    }
  }

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

  ends(code: string): string[] {
    const line = this.#regions.get(code);
    if (line === undefined || line[5] === null) return [code];
    return [...new Set(line[6].flatMap((next) => this.ends(next)))];
  }

  /** Regions between a former and a current one, the current one included. */
  between(former: string, living: string): Set<string> {
    return this.#after(former).intersection(this.#before(living).add(living));
  }

  /** The region and the 일반구 it had. */
  family(code: string): Set<string> {
    const parts = [...this.#regions.values()].filter((line) => line[3] === code);
    return new Set([code, ...parts.map(([own]) => own)]);
  }

  /** Regions that became part of the current one, without the former one, its city and its predecessors and successors. */
  otherOrigins(former: string, living: string): Set<string> {
    const family = this.family(former);
    const own = family.union(this.#after(former));
    for (const code of family) for (const one of this.#before(code)) own.add(one);
    // A city and its 일반구 are the same origin.
    for (const code of [former, ...this.between(former, living)]) own.add(this.#parent(code));
    return this.#before(living).difference(own);
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
