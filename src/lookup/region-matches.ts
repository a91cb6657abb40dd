import type { Field, Row } from '../data/axis.ts';
import type { SearchTerm } from '../data/korean/terms.ts';
import { regionByCode } from '../data/regions/region-table.ts';
import { isFoundIn, type Match } from './matches.ts';
import { matchingRanges } from './matching-ranges.ts';
import { sidoCodeOfTerm } from './store/region-terms.ts';
import type { Subject } from './store/subjects.ts';

/** The terms that name a sido, but not the subject of a dataset: its records fulfil them by their text or region. */
export function regionTerms(
  terms: readonly SearchTerm[],
  byTerm: readonly (Subject | undefined)[],
): readonly SearchTerm[] {
  return terms.filter((term, at) => byTerm[at] === undefined && sidoCodeOfTerm(term) !== null);
}

/** The sido of a found record, for each of the `regionTerms` that its texts lack. */
export function regionMatches(
  record: Row,
  searchable: readonly Field[],
  terms: readonly SearchTerm[],
): Match[] {
  const fulfilled = terms.filter(({ text }) => !isFoundIn(record, searchable, text));
  return fulfilled.map((term) => {
    const snippet = regionByCode(sidoCodeOfTerm(term)!)!.name;
    return {
      field: sidoField,
      label: '시도',
      snippet,
      ranges: matchingRanges(snippet, [term.text], 1),
    };
  });
}

/** Name of the member that `with=region` adds to a record. */
const sidoField = '_sido';
