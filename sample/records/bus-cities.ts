import { districts, type District } from '../place.ts';
import file from './bus-cities.json' with { type: 'json' };

/** Codes of sido by the first two digits of a bus city's code. */
const sidoOf: Readonly<Record<string, string>> = file.sidos;

/** Cities of the bus information service: codes and names as of 2026, before any change for 전남광주. */
export const busCities: readonly BusCity[] = file.cities.map(([code = '', name = '']) => ({
  code,
  name,
  districts: districtsOf(code, name),
}));

export interface BusCity {
  /** Two digits for a metropolitan city, five for a 시 or 군. */
  readonly code: string;
  /** Two names are joined by a slash where one system serves both. */
  readonly name: string;
  readonly districts: readonly District[];
}

function districtsOf(code: string, name: string): readonly District[] {
  const sidoDistricts = districts.filter(({ sido }) => sido.code === sidoOf[code.slice(0, 2)]);
  if (code.length === 2)
    return code === '24' ? sidoDistricts.filter((one) => one.name.endsWith('구')) : sidoDistricts;
  const names = name.split('/');
  return sidoDistricts.filter((one) => names.some((city) => one.name.startsWith(city)));
}
