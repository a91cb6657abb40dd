import type { Field } from './axis.ts';

/** Label of a field for readers; the field's own name if no Korean label is known. */
export function shownLabel(field: LabelledField): string {
  return hasKoreanLabel(field) || field.name.trim() === '' ? field.label : field.name;
}

/** Label of a field for readers with its unit: `거래금액 (만원)`. */
export function shownLabelWithUnit(field: LabelledField & Partial<Pick<Field, 'unit'>>): string {
  const label = shownLabel(field);
  const unit = unitBeside(label, field.unit ?? null);
  return unit === null ? label : `${label} (${unit})`;
}

/** Unit to write beside a label; null without one, and if the label has it in brackets. */
export function unitBeside(label: string, unit: string | null): string | null {
  return unit === null || label.includes(`(${unit})`) ? null : unit;
}

/** False for a label that was made of the field's name and 항목, because `label` is never empty. */
export function hasKoreanLabel({ label, labelSource }: LabelledField): boolean {
  return labelSource !== 'inferred' || !/ 항목(?:\(.*\))?(?: \d+)?$/s.test(label);
}

/** Without `labelSource`, the label counts as known. */
type LabelledField = Pick<Field, 'name' | 'label'> & Partial<Pick<Field, 'labelSource'>>;
