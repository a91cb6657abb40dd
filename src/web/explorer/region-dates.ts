import type { StoredAxis } from '../../data/axis.ts';
import { baseDateField } from '../../data/period.ts';
import { readSelection } from '../../lookup/selection.ts';
import type { PageRequest } from '../serve-page.ts';
import type { NamedRegion } from './query-region.ts';

/** First and last base date of the records of a region. */
interface RegionDates {
  readonly from: string;
  readonly to: string;
}

/** Base dates of datasets by their codes, one of each region; datasets whose records have none are left out. */
export async function regionDates(
  datasets: readonly StoredAxis[],
  places: readonly NamedRegion['place'][],
  request: Pick<PageRequest, 'store' | 'isAbandoned'>,
): Promise<ReadonlyMap<string, readonly (RegionDates | null)[]>> {
  const dated = datasets
    .filter((stored) => stored.rows <= rowsMax && baseDateField(stored) !== null)
    .slice(0, datasetsMax);
  const found = dated.map(async (stored) => {
    const dates = places.map((place) => datesOf(stored, place, request));
    return [stored.axis.code, await Promise.all(dates)] as const;
  });
  return new Map(await Promise.all(found));
}

/** A page waits for each dataset. */
const rowsMax = 200_000;
const datasetsMax = 12;

async function datesOf(
  stored: StoredAxis,
  place: NamedRegion['place'],
  { store, isAbandoned }: Pick<PageRequest, 'store' | 'isAbandoned'>,
): Promise<RegionDates | null> {
  const { selection } = readSelection(place, stored);
  if (selection === null) return null;
  const column = baseDateField(stored)!.name;
  const aggregates = [
    { name: 'from', function: 'min', column },
    { name: 'to', function: 'max', column },
  ] as const;
  const query = { ...selection, by: [], aggregates, offset: 0, limit: 1 };
  const [{ from = null, to = null } = {}] = (
    await store.groups(stored.axis.code, query, isAbandoned)
  ).items;
  return from === null || to === null ? null : { from: dayOf(from), to: dayOf(to) };
}

function dayOf(value: unknown): string {
  return String(value).slice(0, 'YYYY-MM-DD'.length);
}
