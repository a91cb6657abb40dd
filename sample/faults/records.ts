import type { Listing, Row, Value } from '../listing.ts';
import type { Operation } from '../operation.ts';
import type { Fault } from './fault.ts';

/** Lasting faults in the records of an operation: the source itself has changed. */
export const recordFaults = {
  field_renamed: {
    summary: 'The second field of every row has another name.',
    stays: true,
    page: (page, _, operation) => ({ ...page, rows: page.rows.map(renaming(operation)) }),
  },
  field_added: {
    summary: 'Every row has one field more, `sampleNewField`.',
    stays: true,
    page: (page) => ({
      ...page,
      rows: page.rows.map((row) => ({ ...row, sampleNewField: '예시' })),
    }),
  },
  records_none: {
    summary: 'Every operation is empty.',
    stays: true,
    listing: () => [],
  },
  records_deleted: {
    summary: 'The last tenth of the records was deleted.',
    stays: true,
    listing: (listing) => firstOf(listing, Math.floor(listing.length * 0.9)),
  },
  records_lost: {
    summary: 'Only the first half of the records is there.',
    stays: true,
    listing: (listing) => firstOf(listing, Math.floor(listing.length / 2)),
  },
  coordinates_swapped: {
    summary: 'Latitude and longitude have changed places.',
    stays: true,
    page: (page) => ({ ...page, rows: page.rows.map(swapCoordinates) }),
  },
  coordinates_abroad: {
    summary: 'Every position lies in the Atlantic: 0, 0.',
    stays: true,
    page: (page) => ({ ...page, rows: page.rows.map((row) => mapCoordinates(row, () => '0')) }),
  },
  region_unknown: {
    summary: 'Codes and names of regions are ones that no table has.',
    stays: true,
    page: (page) => ({ ...page, rows: page.rows.map(movedNowhere) }),
  },
} as const satisfies Record<string, Fault>;

function firstOf(listing: Listing<Row>, length: number): Listing<Row> {
  return { length, at: (index) => (index < length ? listing.at(index) : undefined) };
}

function renaming(operation: Operation): (row: Row) => Row {
  const old = operation.fields[1]?.name ?? '';
  return (row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [name === old ? `${name}Renamed` : name, value]),
    );
}

/** The pairs in which operations of the portal name a position. */
const coordinatePairs = [
  ['lat', 'lon'],
  ['latitude', 'longitude'],
  ['mapy', 'mapx'],
  ['wgs84Lat', 'wgs84Lon'],
  ['gpslati', 'gpslong'],
  ['gpsY', 'gpsX'],
] as const;

function swapCoordinates(row: Row): Row {
  const pair = coordinatePairs.find(([lat, lon]) => lat in row && lon in row);
  if (pair === undefined) return row;
  const [lat, lon] = pair;
  return { ...row, [lat]: row[lon] ?? '', [lon]: row[lat] ?? '' };
}

function mapCoordinates(row: Row, place: (value: Value) => Value): Row {
  const names: readonly string[] = coordinatePairs.flat();
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, names.includes(name) ? place(value) : value]),
  );
}

const codeFields = /^(ctprvnCd|signguCd|lDongRegnCd|lDongSignguCd|sggCd|citycode|insttCode)$/;
const sidoAtStart = /^[가-힣]+(?:특별시|광역시|특별자치시|특별자치도|통합특별시|도)(?= |$)/;

function movedNowhere(row: Row): Row {
  const changed = Object.entries(row).map(([name, value]): [string, Value] => {
    if (codeFields.test(name)) return [name, '9'.repeat(Math.max(2, String(value).length))];
    return [name, typeof value === 'string' ? value.replace(sidoAtStart, '없는도') : value];
  });
  return Object.fromEntries(changed);
}
