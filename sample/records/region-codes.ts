import { fullName, regionsOn } from '../../src/data/regions/region-table.ts';
import type { Source } from '../hosts/operations.ts';
import { memoize, type Row } from '../listing.ts';

/** Region codes of the interior ministry, as `head` and `row`: 시도 and 시군구, without 읍면동. */
export const regionCodeSources: Readonly<Record<string, Source>> = {
  region_codes: (query) => {
    const name = query.get('locatadd_nm') ?? '';
    return name === ''
      ? rows()
      : rows().filter((row) => String(row['locatadd_nm']).startsWith(name));
  },
};

const rows = memoize((): Row[] =>
  regionsOn('2026-10-01').map((region, index) => {
    const sido = region.code.slice(0, 2);
    const code = region.code.padEnd(10, '0');
    return {
      region_cd: code,
      sido_cd: sido,
      sgg_cd: region.code.slice(2).padEnd(3, '0'),
      umd_cd: '000',
      ri_cd: '00',
      locatjumin_cd: code,
      locatjijuk_cd: code,
      locatadd_nm: fullName(region),
      locat_order: index + 1,
      locat_rm: '',
      locathigh_cd: region.level === 'sido' ? '0000000000' : sido.padEnd(10, '0'),
      locallow_nm: region.name.split(' ').at(-1) ?? '',
      adpt_de: region.since.replaceAll('-', ''),
    };
  }),
);
