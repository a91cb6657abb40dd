import type { StoredAxis } from '../data/axis.ts';
import { unspacedText } from '../data/korean/normalise.ts';
import type { Match } from './matches.ts';
import { matchingRanges } from './matching-ranges.ts';
import type { Subject } from './store/subjects.ts';

/** The title and the labels that make a dataset about terms of a query, in the form of matches in fields. */
export function topicMatches(
  { axis, fields }: StoredAxis,
  byTerm: readonly (Subject | undefined)[],
): Match[] {
  const subjects = byTerm.filter((subject) => subject !== undefined);
  const isLabel = ({ kind }: (typeof subjects)[number]): boolean => kind === 'label';
  const inTitle = subjects.filter((subject) => !isLabel(subject)).map(({ text }) => text);
  const labels = subjects.filter(isLabel).map(({ text }) => ({
    field: topicField,
    label: '필드 이름',
    snippet: fields.find(({ label }) => unspacedText(label) === text)?.label ?? text,
    ranges: [],
  }));
  if (inTitle.length === 0) return labels;
  const ranges = matchingRanges(axis.title, inTitle, rangesMax);
  return [{ field: topicField, label: '데이터셋 제목', snippet: axis.title, ranges }, ...labels];
}

/** Name of matches that are in no field of the record. */
const topicField = '_topic';
const rangesMax = 16;
