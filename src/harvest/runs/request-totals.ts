import type { CollectedResponses } from './collect-axis.ts';
import type { CollectionFacts } from './gates.ts';

/** Facts of a collection that follow from the facts of its pages, before the stored pages are read again. */
type RequestTotals = Pick<
  CollectionFacts,
  | 'totalRows'
  | 'missing'
  | 'surplus'
  | 'possiblyMissing'
  | 'changedLists'
  | 'changedListTotals'
  | 'mendedPages'
  | 'answers'
  | 'differentAnswers'
>;

/** Sums the totals of all requests, and the rows by which their pages differ. */
export function totalsOf(requests: CollectedResponses['requests']): RequestTotals {
  const changed = requests.flatMap(({ changedTotals }) => (changedTotals ? [changedTotals] : []));
  const facts = { totalRows: 0, missing: 0, surplus: 0, possiblyMissing: 0, mendedPages: 0 };
  for (const { total, missing, surplus, possiblyMissing, pages } of requests) {
    facts.totalRows += total;
    facts.missing += missing;
    facts.surplus += surplus;
    facts.possiblyMissing += possiblyMissing;
    facts.mendedPages += pages.filter((page) => page.facts.isMended).length;
  }
  const answers = requests.flatMap(({ rows, pages }) =>
    rows === 0 ? [] : pages.map(({ facts: { digest } }) => digest).join(' '),
  );
  return {
    ...facts,
    answers: answers.length,
    differentAnswers: new Set(answers).size,
    changedLists: changed.length,
    changedListTotals: changed[0] ?? null,
  };
}
