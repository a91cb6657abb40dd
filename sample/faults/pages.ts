import type { Page } from '../envelope.ts';
import { slice, type Listing, type Row, type Value } from '../listing.ts';
import type { Operation } from '../operation.ts';
import type { Fault } from './fault.ts';

/** Faults in what a page says: its total, its rows, and their fields. */
export const pageFaults = {
  total_zero: {
    what: 'An answer without rows and `totalCount` 0 although there are some.',
    stays: false,
    page: (page) => ({ ...page, total: 0, rows: [] }),
  },
  total_growing: {
    what: '`totalCount` is larger than the truth, by one more on every page.',
    stays: false,
    page: (page) => ({ ...page, total: page.total + Math.max(1, page.number) }),
  },
  total_shrinking: {
    what: '`totalCount` is smaller than the truth, by one more on every page.',
    stays: false,
    page: (page) => ({ ...page, total: Math.max(0, page.total - Math.max(1, page.number)) }),
  },
  page_repeated: {
    what: 'A page after the first has the rows of the page before.',
    stays: false,
    page: (page, listing) => withRows(page, listing, -page.size),
  },
  page_shifted: {
    what: 'A page after the first begins one row too late.',
    stays: false,
    page: (page, listing) => withRows(page, listing, 1),
  },
  page_empty: {
    what: 'A page after the first has no rows, but the right total.',
    stays: false,
    page: (page) => (page.number > 1 ? { ...page, rows: [] } : page),
  },
  rows_repeated: {
    what: 'The first row of the page comes once more at its end.',
    stays: false,
    page: (page) => ({ ...page, rows: [...page.rows, ...page.rows.slice(0, 1)] }),
  },
  nul_text: {
    what: 'A NUL character stands inside a text of the first row.',
    stays: false,
    page: (page) => ({
      ...page,
      rows: page.rows.map((row, at) => (at === 0 ? withNul(row) : row)),
    }),
  },
  korean_keys: {
    what: 'Standard data has its Korean headers as keys, as clients saw before 2026.',
    stays: false,
    page: (page, _, operation) =>
      operation.family === 'std' ? { ...page, rows: page.rows.map(labelled(operation)) } : page,
  },
  field_renamed: {
    what: 'The second field of every row has another name.',
    stays: true,
    page: (page, _, operation) => ({ ...page, rows: page.rows.map(renaming(operation)) }),
  },
  field_added: {
    what: 'Every row has one field more, `sampleNewField`.',
    stays: true,
    page: (page) => ({
      ...page,
      rows: page.rows.map((row) => ({ ...row, sampleNewField: '예시' })),
    }),
  },
  records_none: {
    what: 'Every operation is empty.',
    stays: true,
    listing: () => [],
  },
  records_lost: {
    what: 'Only the first half of the records is there.',
    stays: true,
    listing: (listing) => ({
      length: Math.floor(listing.length / 2),
      at: (index) => (index < Math.floor(listing.length / 2) ? listing.at(index) : undefined),
    }),
  },
  coordinates_swapped: {
    what: 'Latitude and longitude have changed places.',
    stays: true,
    page: (page) => ({ ...page, rows: page.rows.map(swapCoordinates) }),
  },
  coordinates_abroad: {
    what: 'Every position lies in the Atlantic: 0, 0.',
    stays: true,
    page: (page) => ({ ...page, rows: page.rows.map((row) => mapCoordinates(row, () => '0')) }),
  },
  region_unknown: {
    what: 'Codes and names of regions are ones that no table has.',
    stays: true,
    page: (page) => ({ ...page, rows: page.rows.map(movedNowhere) }),
  },
} as const satisfies Record<string, Fault>;

function withRows(page: Page, listing: Listing<Row>, by: number): Page {
  if (page.number < 2) return page;
  const from = (page.number - 1) * page.size + by;
  return { ...page, rows: slice(listing, from, from + page.size) };
}

function withNul(row: Row): Row {
  const name = Object.keys(row).find((name) => typeof row[name] === 'string' && row[name] !== '');
  if (name === undefined) return row;
  const text = String(row[name]);
  return { ...row, [name]: `${text.slice(0, 1)}\0${text.slice(1)}` };
}

function labelled({ fields }: Operation): (row: Row) => Row {
  const labels = new Map(fields.map(({ name, label }) => [name, label]));
  return (row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [labels.get(name) ?? name, value]),
    );
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
