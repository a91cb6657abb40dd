import { randomFor, type SeededRandom } from '../seeded-random.ts';
import type { Source } from '../hosts/operations.ts';
import { lazily, type Row, type Value } from '../listing.ts';
import { operationOf } from '../operation.ts';
import { districts, phone, placeIn, type Place } from '../place.ts';
import { coinedWord } from '../words.ts';
import type { World } from '../world.ts';

/** Facilities of culture, a list for each kind, by the year of publication (cltr). */
export function facilitySources(world: World): Readonly<Record<string, Source>> {
  return Object.fromEntries(
    Object.entries(kinds).map(([code, kind]) => {
      const byYear = lazily(
        () => new Map(years.map((year) => [year, facilityRows(world, code, kind, year)])),
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

interface Kind {
  /** Field that holds the name. */
  readonly name: string;
  readonly word: string;
  readonly count: number;
}

const kinds: Readonly<Record<string, Kind>> = {
  cltr_library: { name: 'lbrryNm', word: '도서관', count: 320 },
  cltr_museum: { name: 'msmNm', word: '박물관', count: 230 },
  cltr_gallery: { name: 'arglNm', word: '미술관', count: 90 },
  cltr_arthall: { name: 'clcnNm', word: '문화예술회관', count: 90 },
  cltr_localcultr: { name: 'lclcNm', word: '문화원', count: 120 },
  cltr_lifecultr: { name: 'lvclCntrNm', word: '생활문화센터', count: 70 },
  cltr_foundation: { name: 'lcclFndtNm', word: '문화재단', count: 60 },
  cltr_culthouse: { name: 'clhsNm', word: '문화의집', count: 50 },
  cltr_literature: { name: 'ltrmNm', word: '문학관', count: 60 },
  cltr_natlibrary: { name: 'lbrryNm', word: '국립도서관', count: 4 },
};

/** The survey comes out two years late; the newest that clients had seen in 2026 was 2024. */
const years = ['2023', '2024'];

function facilityRows(world: World, code: string, kind: Kind, year: string): Row[] {
  const fields = operationOf(code).fields;
  return Array.from({ length: kind.count }, (_, index) => {
    const random = randomFor(world.seed, code, index);
    const place = placeIn(
      random,
      districts[(index * 7) % districts.length] ?? random.pick(districts),
    );
    const row: Record<string, Value> = {
      crtrYr: Number(year) - 1,
      pblshYr: year,
      sggCd: surveyCode(place),
      [kind.name]: `${coinedWord(random)}${place.dong}${kind.word}(예시)`,
      instAddr: place.roadAddress,
      addr: place.roadAddress,
      telnoCn: phone(random, place.district.sido),
      hmpgAddr: random.chance(0.6) ? 'https://example.com' : '',
      instId: `SAMPLE${code.slice(5, 8).toUpperCase()}${String(index + 1).padStart(5, '0')}`,
    };
    return Object.fromEntries(
      fields.map(({ name, numeric }) => [name, row[name] ?? otherValue(random, name, numeric)]),
    );
  });
}

/** Codes of the survey year: 강원 and 전북 before their renaming, 전남광주 before its merger. */
function surveyCode({ district }: Place): string {
  const { code } = district;
  if (code.startsWith('51')) return `42${code.slice(2)}`;
  if (code.startsWith('52')) return `45${code.slice(2)}`;
  return mergedCodes[code] ?? code;
}

const mergedCodes: Readonly<Record<string, string>> = {
  12110: '46110',
  12130: '46130',
  12150: '46150',
  12170: '46170',
  12190: '46230',
  12210: '29110',
  12240: '29140',
  12270: '29155',
  12300: '29170',
  12330: '29200',
  28125: '28140',
  28155: '28110',
  28275: '28260',
  28290: '28260',
};

const words: Readonly<Record<string, readonly string[]>> = {
  ntpbSprtnNm: ['공립', '사립', '국립'],
  fndnMnbdNm: ['지방자치단체', '법인', '개인'],
  ltrmOperMthdNm: ['직영', '위탁'],
  ltrmRegCnfrNm: ['등록', '미등록'],
};

function otherValue(random: SeededRandom, name: string, numeric: boolean): Value {
  const choices = words[name];
  if (choices !== undefined) return random.pick(choices);
  return numeric ? random.whole(1, 4000) : '';
}
