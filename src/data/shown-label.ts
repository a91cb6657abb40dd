import type { Field } from './axis.ts';

/** Label of a field for readers: the field's own name where no Korean label is known. */
export function shownLabel(field: LabelledField): string {
  return hasKoreanLabel(field) || field.name.trim() === '' ? field.label : field.name;
}

/** False for a label that only puts 항목 behind the field's name, because `label` is never empty. */
export function hasKoreanLabel({ label, labelSource }: LabelledField): boolean {
  return labelSource !== 'inferred' || !/ 항목(?:\(.*\))?(?: \d+)?$/s.test(label);
}

/** Without a source, the label is known. */
type LabelledField = Pick<Field, 'name' | 'label'> & Partial<Pick<Field, 'labelSource'>>;
