import type { Listing, Row, Value } from '../listing.ts';
import type { Operation } from '../operation.ts';
import type { Fault } from './fault.ts';

/** Lasting faults in the records of an operation, as if its source had changed. */
export const recordFaults = {
  field_renamed: {
    summary: 'The second field of every row has another name.',
    isLasting: true,
    page: (page, _, operation) => ({ ...page, rows: page.rows.map(renameSecond(operation)) }),
  },
  field_added: {
    summary: 'Every row has an additional field, `sampleNewField`.',
    isLasting: true,
    page: (page) => ({
      ...page,
      rows: page.rows.map((row) => ({ ...row, sampleNewField: '예시' })),
    }),
  },
  records_none: {
    summary: 'Every operation is empty.',
    isLasting: true,
    listing: () => [],
  },
  records_deleted: {
    summary: 'The last tenth of the records was deleted.',
    isLasting: true,
    listing: (listing) => takeFirst(listing, Math.floor(listing.length * 0.9)),
  },
  records_lost: {
    summary: 'Only the first half of the records is left.',
    isLasting: true,
    listing: (listing) => takeFirst(listing, Math.floor(listing.length / 2)),
  },
  coordinates_swapped: {
    summary: 'Latitude and longitude are swapped.',
    isLasting: true,
    page: (page) => ({ ...page, rows: page.rows.map(swapCoordinates) }),
  },
  coordinates_abroad: {
    summary: 'Every position lies in the Atlantic: 0, 0.',
    isLasting: true,
    page: (page) => ({ ...page, rows: page.rows.map((row) => mapCoordinates(row, () => '0')) }),
  },
  region_unknown: {
    summary: 'Regions have codes and names that no table contains.',
    isLasting: true,
    page: (page) => ({ ...page, rows: page.rows.map(unknownRegion) }),
  },
} as const satisfies Record<string, Fault>;

function takeFirst(listing: Listing<Row>, length: number): Listing<Row> {
  return { length, at: (index) => (index < length ? listing.at(index) : undefined) };
}

function renameSecond(operation: Operation): (row: Row) => Row {
  const second = operation.fields[1]?.name ?? '';
  return (row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name === second ? `${name}Renamed` : name,
        value,
      ]),
    );
}

/** Pairs of fields with which operations give a position. */
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

function mapCoordinates(row: Row, edit: (value: Value) => Value): Row {
  const names: readonly string[] = coordinatePairs.flat();
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, names.includes(name) ? edit(value) : value]),
  );
}

const codeFields = /^(ctprvnCd|signguCd|lDongRegnCd|lDongSignguCd|sggCd|citycode|insttCode)$/;
const sidoAtStart = /^[가-힣]+(?:특별시|광역시|특별자치시|특별자치도|통합특별시|도)(?= |$)/;

function unknownRegion(row: Row): Row {
  const changed = Object.entries(row).map(([name, value]): [string, Value] => {
    if (codeFields.test(name)) return [name, '9'.repeat(Math.max(2, String(value).length))];
    return [name, typeof value === 'string' ? value.replace(sidoAtStart, '없는도') : value];
  });
  return Object.fromEntries(changed);
}
