/**
 * Korean word for `station` and `stn` in a table, by the other words in its column names; null if they leave it open.
 * The portal's services use both for stations of the railway, of weather, of air quality and of rental bikes.
 */
export function stationWord(columns: readonly string[]): string | null {
  const words = new Set(
    columns.flatMap((name) => nameParts(name)).map((part) => part.toLowerCase()),
  );
  const found = stationKinds.find(([, signs]) => signs.some((sign) => words.has(sign)));
  return found?.[0] ?? null;
}

/** Words of a name in camel case or with underscores: `stnNm` has `stn` and `Nm`. */
export function nameParts(name: string): string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z\d가-힣]+/)
    .filter((part) => part !== '');
}

/** Korean words for a station. Each is meant if one of its signs is a word in a column name of the same table. */
const stationKinds: readonly (readonly [station: string, signs: readonly string[]])[] = [
  ['측정소', ['pm10', 'pm25', 'so2', 'khai', 'mang']],
  ['대여소', ['bike', 'rack', 'rent', 'rental']],
  ['역', ['subway', 'line', 'ln', 'rail', 'trn', 'train']],
  ['정류소', ['bus', 'route', 'ars']],
  ['지점', ['ta', 'ws', 'wd', 'rn', 'hm']],
];
