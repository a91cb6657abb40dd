import type { Field, Row, StoredAxis } from '../../data/axis.ts';
import type { SearchTerm } from '../../data/korean/terms.ts';
import { recordId } from '../../data/record-id.ts';
import { matchesOf, type Match } from '../matches.ts';
import { regionMatches, regionTerms } from '../region-matches.ts';
import { sameNameTarget, type SearchedPlace } from '../same-name.ts';
import type { LookupStore, SearchHit, SearchMatch } from '../store/store.ts';
import { topicMatches } from '../topic-matches.ts';
import { recordLink } from './record.ts';

/** Returns a function that writes a hit of an answer as JSON. It computes once what all hits of an axis share. */
export function hitWriter(
  store: LookupStore,
  terms: readonly SearchTerm[],
  searchMatch: SearchMatch,
  place: SearchedPlace,
): (hit: SearchHit) => string {
  const axes = new Map<string, HitAxis>();
  const subjectsByAxis = store.topics.subjectsOf(searchMatch === 'topic' ? terms : []);
  const axisOf = (code: string): HitAxis => {
    const stored = store.axes.get(code)!;
    const subjectByTerm = subjectsByAxis.get(code)?.byTerm ?? [];
    return {
      stored,
      name: stored.fields.find(({ role }) => role === 'name')?.name,
      searchable: stored.fields.filter(({ searchable }) => searchable),
      topicMatches: topicMatches(stored, subjectByTerm),
      regionTerms: searchMatch === 'topic' ? regionTerms(terms, subjectByTerm) : [],
      linkStart: recordLink(code, ''),
    };
  };
  return (hit) => {
    let axis = axes.get(hit.axis);
    if (axis === undefined) axes.set(hit.axis, (axis = axisOf(hit.axis)));
    return hitJson(hit, axis, terms, place);
  };
}

/** Parts that all hits of an axis have in common. */
interface HitAxis {
  readonly stored: StoredAxis;
  /** Name of the field that titles a record. */
  readonly name: string | undefined;
  readonly searchable: readonly Field[];
  readonly topicMatches: readonly Match[];
  readonly regionTerms: readonly SearchTerm[];
  /** Link to a record up to its id, which is hexadecimal and needs no escapes. */
  readonly linkStart: string;
}

function hitJson(
  hit: SearchHit,
  axis: HitAxis,
  terms: readonly SearchTerm[],
  place: SearchedPlace,
): string {
  const { stored, name, searchable } = axis;
  const text = hit.record.toString();
  const record = JSON.parse(text) as Row;
  const title = name === undefined ? null : (record[name] ?? null);
  const head = JSON.stringify({
    axis: hit.axis,
    axisTitle: stored.axis.title,
    row: hit.row,
    score: hit.score,
    origin: stored.axis.origin,
    title: title === null ? null : String(title),
    more: hit.more,
    matches: [
      ...axis.topicMatches,
      ...regionMatches(record, searchable, axis.regionTerms),
      ...matchesOf(record, searchable, terms),
    ],
  });
  const links = JSON.stringify({
    record: axis.linkStart + recordId(hit.record, stored.axis.keyFields, record),
    more: sameNameTarget(hit, stored, record, place),
  });
  return `${head.slice(0, -1)},"record":${text},"links":${links}}`;
}
