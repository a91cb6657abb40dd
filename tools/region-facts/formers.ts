import { oldest, renamedDongs } from './changes.ts';
import type { RegionLine } from './lines.ts';
import type { Dong } from './sheets.ts';

/** [former code, living code, `*` or its dongs that lay in the former one, with `?` where the tables do not decide]. */
type FormerLine = [former: string, living: string, dongs: string];

/**
 * For every abolished municipality that is not simply one of today: what of the living ones lay in it. A
 * dong lay in it when it had its name there, and nothing else that became part of the living one had it.
 */
export function formerLines(
  regions: ReadonlyMap<string, RegionLine>,
  rows: readonly Dong[],
  livingDongs: ReadonlyMap<string, ReadonlySet<string>>,
): FormerLine[] {
  const dongs = rows
    .filter(({ name, until }) => !name.endsWith('출장소') && (until === null || until >= oldest))
    .map((row) => (row.sigungu === '36110' ? { ...row, sigungu: '36' } : row));
  const lineage = new Lineage(regions);
  const found: FormerLine[] = [];
  for (const [former, , , , , until] of regions.values()) {
    if (until === null || former.length === 2) continue;
    const parts = lineage.ends(former).flatMap((living): FormerLine[] => {
      const pair = new DongsOfPair(former, living, lineage, dongs);
      const hasOthers = lineage.otherOrigins(former, living).size > 0;
      if (!hasOthers && pair.areAll()) return [[former, living, '*']];
      const listed = [...(livingDongs.get(living) ?? [])]
        .filter((name) => !name.endsWith('출장소'))
        .map((name) => pair.mark(name))
        .filter((name) => name !== '');
      return listed.length === 0 ? [] : [[former, living, listed.sort().join(' ')]];
    });
    // One living region and nothing else: they are the same.
    if (parts.length > 1 || parts[0]?.[2] !== '*') found.push(...parts);
  }
  return found;
}

/** Dots, 제 and the rank of a 면 that became an 읍 come and go. */
function stem(name: string): string {
  return name.replace(/[.·,\s]|제(?=\d)/g, '').replace(/[읍면]$/, '-');
}

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
      // Other parts were there before, or moved in with a new code.
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

  areAll(): boolean {
    return [...this.#foreign].every((name) => this.#own.has(name));
  }

  /** The name where it lay in the former region, `?` before it where that is open, else nothing. */
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

  /** Regions on the way from one to the other, the later one included. */
  between(former: string, living: string): Set<string> {
    return this.#after(former).intersection(this.#before(living).add(living));
  }

  /** The region and the 일반구 it had. */
  family(code: string): Set<string> {
    const parts = [...this.#regions.values()].filter((line) => line[3] === code);
    return new Set([code, ...parts.map(([own]) => own)]);
  }

  /** Other regions that became part of the living one: not the former one's own predecessors, whole or successors. */
  otherOrigins(former: string, living: string): Set<string> {
    const family = this.family(former);
    const own = family.union(this.#after(former));
    for (const code of family) for (const one of this.#before(code)) own.add(one);
    // A city is not another origin than its 일반구.
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
