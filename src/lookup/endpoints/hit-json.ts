import type { Field, Row, StoredAxis } from '../../data/axis.ts';
import type { SearchTerm } from '../../data/korean/terms.ts';
import { recordId } from '../../data/record-id.ts';
import { matchesOf, type Match } from '../matches.ts';
import { regionMatches, regionTerms } from '../region-matches.ts';
import { sameNameTarget, type SearchedPlace } from '../same-name.ts';
import type { LookupStore, SearchHit, SearchMatch } from '../store/store.ts';
import { topicMatches } from '../topic-matches.ts';
import { recordLink } from './record.ts';

/** Returns the JSON of a hit of one answer. What is equal for all hits of an axis is computed once. */
export function hitWriter(
  store: LookupStore,
  terms: readonly SearchTerm[],
  match: SearchMatch,
  place: SearchedPlace,
): (hit: SearchHit) => string {
  const axes = new Map<string, HitAxis>();
  const subjects = store.topics.subjectsOf(match === 'topic' ? terms : []);
  const axisOf = (code: string): HitAxis => {
    const stored = store.axes.get(code)!;
    const byTerm = subjects.get(code)?.byTerm ?? [];
    return {
      stored,
      name: stored.fields.find(({ role }) => role === 'name')?.name,
      searchable: stored.fields.filter(({ searchable }) => searchable),
      topics: topicMatches(stored, byTerm),
      regionTerms: match === 'topic' ? regionTerms(terms, byTerm) : [],
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
  readonly name: string | undefined;
  readonly searchable: readonly Field[];
  readonly topics: readonly Match[];
  readonly regionTerms: readonly SearchTerm[];
  /** Link to a record without its id, which is hexadecimal. */
  readonly linkStart: string;
}

function hitJson(
  hit: SearchHit,
  axis: HitAxis,
  terms: readonly SearchTerm[],
  place: SearchedPlace,
): string {
  const { stored, name, searchable, topics } = axis;
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
      ...topics,
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
