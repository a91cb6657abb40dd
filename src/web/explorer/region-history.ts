import {
  fullName,
  regionByCode,
  type Region,
  type Succession,
} from '../../data/regions/region-table.ts';

/** Regions that became others on one day. */
export interface RegionChange {
  /** ISO date of the first day of the later regions. */
  readonly date: string;
  /** `code` if only the code changed, and the name stayed. */
  readonly kind: Succession['kind'] | 'code';
  readonly former: readonly Region[];
  readonly later: readonly Region[];
}

/** Changes that led to a region, and those after it, latest first. */
export function regionHistory(region: Region): RegionChange[] {
  const links = [...linksOf(region, 'predecessors'), ...linksOf(region, 'successors')];
  const changes = Map.groupBy(links, ({ former, later, kind }) =>
    [former.until, kind, kind === '1:n' ? former.code : later.code].join(' '),
  );
  return [...changes.values()]
    .map((parts): RegionChange => {
      const [{ former, later, kind }] = parts as [Link];
      const isSameName = kind === '1:1' && fullName(former) === fullName(later);
      return {
        date: former.until ?? later.since,
        kind: isSameName ? 'code' : kind,
        former: [...new Set(parts.map((part) => part.former))],
        later: [...new Set(parts.map((part) => part.later))],
      };
    })
    .sort((a, b) => (a.date < b.date ? 1 : a.date > b.date ? -1 : 0));
}

interface Link {
  readonly former: Region;
  readonly later: Region;
  readonly kind: Succession['kind'];
}

/** Every succession before or after a region. */
function linksOf(start: Region, direction: 'predecessors' | 'successors'): Link[] {
  const links: Link[] = [];
  const seen = new Set([start.code]);
  const waiting = [start];
  for (let region = waiting.pop(); region !== undefined; region = waiting.pop()) {
    for (const { code, kind } of region[direction]) {
      const other = regionByCode(code);
      if (other === undefined) continue;
      const isBefore = direction === 'predecessors';
      links.push({ former: isBefore ? other : region, later: isBefore ? region : other, kind });
      if (seen.has(code)) continue;
      seen.add(code);
      waiting.push(other);
    }
  }
  return links;
}
