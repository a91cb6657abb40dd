import type { Source } from '../hosts/operations.ts';
import type { Row } from '../listing.ts';
import { electionDays, electionTypes } from './election-days.ts';

/** Code tables and histories of the election commission (NEC): facts; what is not known is left empty. */
export const electionHistorySources: Readonly<Record<string, Source>> = {
  nec_code: codeRows,
  nec_assembly_hist: () => assemblies.map(assemblyRow),
  nec_pres_hist: () => presidents.map(presidentRow),
  nec_local_hist: () => locals.map(localRow),
};

/** Each election day as an umbrella row of type 0, then its types. */
function codeRows(): Row[] {
  const rows = electionDays.flatMap(({ id, name, types }) =>
    ['0', ...types].map((type) => ({
      sgId: id,
      sgName: type === '0' ? name : (electionTypes[type] ?? ''),
      sgTypecode: type,
      sgVotedate: id,
    })),
  );
  return rows.map((row, at) => ({ num: at + 1, ...row }));
}

type Line = readonly [count: number, day: string, more: string];

const assemblies: readonly Line[] = [
  [1, '19480510', ''],
  [2, '19500530', ''],
  [3, '19540520', ''],
  [4, '19580502', ''],
  [5, '19600729', ''],
  [6, '19631126', ''],
  [7, '19670608', ''],
  [8, '19710525', ''],
  [9, '19730227', ''],
  [10, '19781212', ''],
  [11, '19810325', ''],
  [12, '19850212', ''],
  [13, '19880426', '1988'],
  [14, '19920324', '1992'],
  [15, '19960411', '1996'],
  [16, '20000413', '2000'],
  [17, '20040415', '2004'],
  [18, '20080409', '2008'],
  [19, '20120411', '2012'],
  [20, '20160413', '2016'],
  [21, '20200415', '2020'],
  [22, '20240410', '2024'],
];

const presidents: readonly Line[] = [
  [1, '19480720', '이승만'],
  [2, '19520805', '이승만'],
  [3, '19560515', '이승만'],
  [4, '19600812', '윤보선'],
  [5, '19631015', '박정희'],
  [6, '19670503', '박정희'],
  [7, '19710427', '박정희'],
  [8, '19721223', '박정희'],
  [9, '19780706', '박정희'],
  [10, '19791206', '최규하'],
  [11, '19800827', '전두환'],
  [12, '19810225', '전두환'],
  [13, '19871216', '노태우'],
  [14, '19921218', '김영삼'],
  [15, '19971218', '김대중'],
  [16, '20021219', '노무현'],
  [17, '20071219', '이명박'],
  [18, '20121219', '박근혜'],
  [19, '20170509', '문재인'],
  [20, '20220309', '윤석열'],
  [21, '20250603', '이재명'],
];

const locals: readonly Line[] = [
  [1, '19950627', '68.4'],
  [2, '19980604', '52.7'],
  [3, '20020613', '48.9'],
  [4, '20060531', '51.6'],
  [5, '20100602', '54.5'],
  [6, '20140604', '56.8'],
  [7, '20180613', '60.2'],
  [8, '20220601', '50.9'],
  [9, '20260603', ''],
];

function assemblyRow([count, day, term]: Line): Row {
  return {
    ...dayColumns(
      day,
      '국회의원선거',
      count === 1 ? '제헌 국회의원선거' : `제${count}대 국회의원선거`,
    ),
    pbancYmd: '',
    pbancDywk: '',
    elctPrdDys: '',
    trofBgngYmd: term === '' ? '' : `${term}0530`,
    trofEndYmd: term === '' ? '' : `${Number(term) + 4}0529`,
  };
}

/** Presidents of 1948, 1960 and 1972 to 1981 were elected by an assembly or a college. */
const indirect: readonly number[] = [1, 4, 8, 9, 10, 11, 12];

function presidentRow([count, day, winner]: Line): Row {
  return {
    ...dayColumns(day, '대통령선거', `제${count}대 대통령선거`),
    pbancYmd: '',
    pbancDywk: '',
    sccnNm: winner,
    elcnMthdNm: indirect.includes(count) ? '간접선거' : '직접선거',
  };
}

function localRow([count, day, rate]: Line): Row {
  return { ...dayColumns(day, '지방선거', `제${count}회 전국동시지방선거`), voteRt: rate };
}

function dayColumns(day: string, elctNm: string, elctNotmNm: string): Row {
  const iso = `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`;
  const weekday = '일월화수목금토'[new Date(`${iso}T00:00:00Z`).getUTCDay()] ?? '';
  return { elctNm, elctNotmNm, elctYmd: day, elctDywk: weekday };
}
