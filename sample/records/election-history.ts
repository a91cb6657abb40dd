import type { Source } from '../hosts/operations.ts';
import type { Row } from '../listing.ts';
import { electionDays, electionTypes } from './election-days.ts';
import elections from './elections.json' with { type: 'json' };

/** Code tables and histories of the election commission (NEC): facts, empty if unknown. */
export const electionHistorySources: Readonly<Record<string, Source>> = {
  nec_code: codeRows,
  nec_assembly_hist: () => linesOf(elections.assemblies).map(assemblyRow),
  nec_pres_hist: () => linesOf(elections.presidents).map(presidentRow),
  nec_local_hist: () => linesOf(elections.locals).map(localRow),
};

/** A row of type 0 for each election day, followed by a row for each of its types. */
function codeRows(): Row[] {
  const rows = electionDays.flatMap(({ id, name, types }) =>
    ['0', ...types].map((type) => ({
      sgId: id,
      sgName: type === '0' ? name : (electionTypes[type] ?? ''),
      sgTypecode: type,
      sgVotedate: id,
    })),
  );
  return rows.map((row, index) => ({ num: index + 1, ...row }));
}

type Line = readonly [count: number, day: string, detail: string];

function linesOf(rows: readonly (readonly string[])[]): Line[] {
  return rows.map(([count = '', day = '', detail = '']) => [Number(count), day, detail]);
}

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
const indirectElections: readonly number[] = [1, 4, 8, 9, 10, 11, 12];

function presidentRow([count, day, winner]: Line): Row {
  return {
    ...dayColumns(day, '대통령선거', `제${count}대 대통령선거`),
    pbancYmd: '',
    pbancDywk: '',
    sccnNm: winner,
    elcnMthdNm: indirectElections.includes(count) ? '간접선거' : '직접선거',
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
