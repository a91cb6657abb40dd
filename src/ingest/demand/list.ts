import type { UnlinkedDemand } from '../../data/demand.ts';
import type { Cell, Table } from '../files/table.ts';
import {
  keywordLengthMax,
  keywordsMax,
  rankScores,
  roundIndex,
  type DemandReport,
  type KeywordScore,
} from './ranking.ts';

/**
 * Reads a ranking as a table with the columns `keyword,index` (`키워드,지수`). An empty index means that a keyword is
 * below the resolution. The anchor is the row that is marked in a column `anchor` (`기준`), or else the row with the
 * index 100. The columns `from` and `to` (`시작일`, `종료일`) give the period.
 */
export async function readRankingList(
  table: Table,
  source: string,
  report: DemandReport,
): Promise<UnlinkedDemand> {
  const columns = columnsOf(table.columns);
  const scores = new Map<string, number | null>();
  let markedAnchor: string | null = null;
  let period: { from: string; to: string } | null = null;
  for await (const { rows, sourceRows } of table.batches) {
    for (const [position, cells] of rows.entries()) {
      const row = sourceRows[position] ?? null;
      const [keyword, index] = readScore(cells, columns);
      if (keyword === null || index === undefined) {
        report({
          kind: 'row_refused',
          row,
          detail: 'the keyword is missing or too long, or the index is not a number',
        });
        continue;
      }
      if (scores.has(keyword)) {
        report({ kind: 'duplicate', row, detail: `"${keyword}" is repeated` });
        continue;
      }
      if (scores.size >= keywordsMax) {
        throw new Error(`The list has more than ${keywordsMax} keywords; shorten it.`);
      }
      scores.set(keyword, index);
      if (/^(?:1|Y|TRUE|O|○)$/i.test(textAt(cells, columns.anchor))) markedAnchor ??= keyword;
      const [from, to] = [textAt(cells, columns.from), textAt(cells, columns.to)];
      if (period === null && from !== '' && to !== '') period = { from, to };
    }
  }
  const anchor = markedAnchor ?? [...scores].find(([, index]) => index === 100)?.[0];
  const anchorIndex = scores.get(anchor ?? '') ?? 0;
  if (anchor === undefined || anchorIndex <= 0) {
    throw new Error(
      'The list has no anchor: give one keyword the index 100, or mark it with Y in a column "anchor". ' +
        'Every index is relative to it.',
    );
  }
  const relativeScores = [...scores].map(([keyword, index]): KeywordScore => {
    if (index === null || index === 0) return [keyword, null];
    return [keyword, keyword === anchor ? 100 : roundIndex((index / anchorIndex) * 100)];
  });
  return rankScores(
    anchor,
    {
      source,
      unit: `relative search volume, ${anchor} = 100`,
      period: { ...(period ?? { from: null, to: null }), timeUnit: null },
      note: 'A ranking loaded as a list; its author knows how it was measured. No absolute volume.',
    },
    relativeScores,
  );
}

interface RankingColumns {
  readonly keyword: number;
  readonly index: number;
  readonly anchor: number;
  readonly from: number;
  readonly to: number;
}

function columnsOf(header: readonly string[]): RankingColumns {
  const names = header.map((name) => name.replaceAll(/\s/g, '').toLowerCase());
  const indexOf = (...words: readonly string[]): number =>
    names.findIndex((name) => words.includes(name));
  const columns = {
    keyword: indexOf('keyword', '키워드', '검색어'),
    index: indexOf('index', '지수', '상대지수'),
    anchor: indexOf('anchor', '기준'),
    from: indexOf('from', '시작일', 'startdate'),
    to: indexOf('to', '종료일', 'enddate'),
  };
  if (columns.keyword >= 0 && columns.index >= 0) return columns;
  throw new Error(
    'The list needs the columns keyword and index (키워드, 지수). The index is relative to one anchor ' +
      'keyword at 100; search volumes are not accepted, because Naver does not publish them.',
  );
}

/** Keyword and index of a row. A null index is empty, an undefined one is not a number; an invalid keyword is null. */
function readScore(
  cells: readonly Cell[],
  columns: RankingColumns,
): [keyword: string | null, index: number | null | undefined] {
  const keyword = textAt(cells, columns.keyword).normalize('NFC').replaceAll(/\s+/g, ' ');
  const text = textAt(cells, columns.index).replaceAll(',', '');
  const index = text === '' || text === '-' ? null : Number(text);
  const isIndex = index === null || (Number.isFinite(index) && index >= 0);
  const isKeyword = keyword !== '' && keyword.length <= keywordLengthMax;
  return [isKeyword ? keyword : null, isIndex ? index : undefined];
}

function textAt(cells: readonly Cell[], index: number): string {
  return index < 0 ? '' : String(cells[index] ?? '').trim();
}
