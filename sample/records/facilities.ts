import { randomFor } from '../seeded-random.ts';
import type { Source } from '../hosts/operations.ts';
import { memoize, type Row } from '../listing.ts';
import { operationOf } from '../operation.ts';
import { recordMaker } from '../patterns.ts';
import { districts, placeIn, type District } from '../place.ts';
import { coinedWord } from '../words.ts';
import type { World } from '../world.ts';
import table from './facilities.json' with { type: 'json' };

/** Cultural facilities (cltr), a list for each kind and year of publication. */
export function facilitySources(world: World): Readonly<Record<string, Source>> {
  return Object.fromEntries(
    Object.entries(table.kinds).map(([code, kind]) => {
      const byYear = memoize(
        () => new Map(years.map((year) => [year, facilityRows(world.seed, code, kind, year)])),
      );
      const source: Source = (query) => {
        const [region, name] = [query.get('sggCd') ?? '', query.get('instNm') ?? ''];
        return (byYear().get(query.get('pblshYr') ?? '') ?? []).filter(
          (row) =>
            (region === '' || row['sggCd'] === region) && String(row[kind.name]).includes(name),
        );
      };
      return [code, source];
    }),
  );
}

/** Years of publication, which is two years late: in 2026 the newest was 2024. */
const years = ['2023', '2024'];

type Kind = (typeof table.kinds)[keyof typeof table.kinds];
const make = recordMaker('facility');

function facilityRows(seed: number, code: string, kind: Kind, year: string): Row[] {
  const { fields } = operationOf(code);
  return Array.from({ length: kind.count }, (_, index) => {
    const random = randomFor(seed, code, index);
    const district = districts[(index * 7) % districts.length] ?? random.pick(districts);
    const place = placeIn(random, district);
    const row: Row = {
      ...make(random, {}, place),
      crtrYr: Number(year) - 1,
      pblshYr: year,
      sggCd: surveyCode(district),
      [kind.name]: `${coinedWord(random)}${place.dong}${kind.word}(예시)`,
      instId: `SAMPLE${code.slice(5, 8).toUpperCase()}${String(index + 1).padStart(5, '0')}`,
    };
    return Object.fromEntries(
      fields.map(({ name, isNumber }) => [
        name,
        row[name] ?? (isNumber ? random.whole(1, 4000) : ''),
      ]),
    );
  });
}

/** Code of a district in the year of the survey: in 강원 and 전북 before their renaming, in 전남광주 before its merger. */
function surveyCode({ code }: District): string {
  if (code.startsWith('51')) return `42${code.slice(2)}`;
  if (code.startsWith('52')) return `45${code.slice(2)}`;
  return formerCodes[code] ?? code;
}

const formerCodes: Readonly<Record<string, string>> = table.formerCodes;
