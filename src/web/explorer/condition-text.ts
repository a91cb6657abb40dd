import { fullName, regionByCode, type Region } from '../../data/regions/region-table.ts';
import { columnsOf } from '../../lookup/selection.ts';
import { printWhere } from '../../lookup/where/print.ts';
import type { Expression } from '../../lookup/where/syntax.ts';
import { conditionTexts } from './condition-texts.ts';
import { labelIn, type DatasetView } from './dataset-view.ts';
import { simpleConditionOf } from './simple-condition.ts';

/** A condition for readers, with labels in the place of names; one beyond a form's is in the language of `where`. */
export function conditionText(
  part: Expression,
  view: Pick<DatasetView, 'words' | 'stored' | 'language'>,
): string {
  const region = regionOfCondition(part);
  if (region !== undefined) return view.words.place(fullName(region));
  const simple = simpleConditionOf(part);
  if (simple === null) return printWhere(withLabels(part, view));
  const { column, test, value } = simple;
  return conditionTexts[view.language].conditions[test](
    labelOf({ text: column, position: 0 }, view),
    value,
  );
}

/** The region that a condition such as `_sido = 11` selects. */
function regionOfCondition(part: Expression): Region | undefined {
  const isRegion =
    part.kind === 'compare' && part.operator === '=' && /^_(?:sido|sigungu)$/.test(part.name.text);
  return isRegion ? regionByCode(part.value.text) : undefined;
}

type Labels = Pick<DatasetView, 'stored' | 'language'>;

function withLabels(part: Expression, view: Labels): Expression {
  if ('parts' in part) {
    return { ...part, parts: part.parts.map((inner) => withLabels(inner, view)) };
  }
  if (part.kind === 'not') return { ...part, part: withLabels(part.part, view) };
  return { ...part, name: { ...part.name, text: labelOf(part.name, view) } };
}

function labelOf(
  given: { readonly text: string; readonly position: number },
  { stored, language }: Labels,
): string {
  const { name } = columnsOf(stored).find(given, 'where');
  const field = stored.fields.find((one) => one.name === name);
  return field === undefined ? name : labelIn(field, language);
}
