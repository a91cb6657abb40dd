import type { pageContract } from '../../contract/pages.ts';
import type { RouteParameters } from '../../contract/route.ts';
import type { Field, StoredAxis } from '../../data/axis.ts';
import { readableTitle } from '../../data/readable-title.ts';
import { shownLabel, unitBeside } from '../../data/shown-label.ts';
import { canonicalUrl } from '../../kernel/http/canonical-url.ts';
import type { Values } from '../../kernel/http/parameters.ts';
import { exportContract } from '../../contract/export-routes.ts';
import type { RowsQuery } from '../../lookup/selected-page.ts';
import { columnsOf } from '../../lookup/selection.ts';
import { parseWhere } from '../../lookup/where/parse.ts';
import { printWhere } from '../../lookup/where/print.ts';
import type { Expression } from '../../lookup/where/syntax.ts';
import type { Language } from '../../contract/language.ts';
import type { PageRequest } from '../serve-page.ts';
import type { datasetTexts } from './dataset-texts.ts';

export type DatasetParams = RouteParameters<typeof pageContract.dataset>;

/** A record that stands for a place. */
export interface PlaceRecord {
  /** Name of the record, or the part of its address with the name of the place, with its region. */
  readonly name: string;
  /** The name with the dataset of the record. */
  readonly label: string;
  /** Text of the parameter `near`. */
  readonly near: string;
}

/** The records that the name of a place may stand for. */
export interface PlaceChoice {
  readonly name: string;
  /** The record whose place `near` is; null before one is chosen. */
  readonly chosen: PlaceRecord | null;
  readonly others: readonly PlaceRecord[];
}

/** A request for the page of a dataset, checked. */
export interface DatasetView extends PageRequest {
  readonly stored: StoredAxis;
  readonly params: DatasetParams;
  readonly query: RowsQuery;
  /** Parts of the condition that are joined by `and`. */
  readonly conditions: readonly Expression[];
  /** The place that the address names; null for a bare position or none. */
  readonly place: PlaceChoice | null;
  readonly words: (typeof datasetTexts)[Language];
}

/** The parts of a condition that are joined by `and`; empty without one. Throws 400. */
export function conditionsOf(where: string | undefined, stored: StoredAxis): readonly Expression[] {
  if (where === undefined) return [];
  const names = columnsOf(stored).texts;
  const expression = parseWhere(where, { parameter: 'where', names });
  return expression.kind === 'and' ? expression.parts : [expression];
}

/** Text of the condition that has all of these parts; undefined for none. */
export function whereOf(parts: readonly Expression[]): string | undefined {
  const [first] = parts;
  if (first === undefined) return undefined;
  return printWhere(parts.length === 1 ? first : { kind: 'and', parts });
}

/** The address of the page with other filters, which begins at the first record. */
export function filteredTarget({ target }: Pick<DatasetView, 'target'>, changes: Values): string {
  return target({ offset: 0, field: undefined, ...changes });
}

/** The address of the page for the records whose column has a value. */
export function valueTarget(
  view: Pick<DatasetView, 'target' | 'conditions'>,
  column: string,
  value: string,
  changes: Values = {},
): string {
  const part: Expression = {
    kind: 'compare',
    name: { text: column, position: 0 },
    operator: '=',
    value: { text: value, position: 0 },
  };
  return filteredTarget(view, { where: whereOf([...view.conditions, part]), ...changes });
}

/** The address of a file with the records of the page, or of the whole axis. */
export function exportTarget(
  { params, stored }: Pick<DatasetView, 'params' | 'stored'>,
  format: string,
  more: Values = {},
): string {
  const file = `${stored.axis.code}.${format}`;
  // The address has only the parameters that a file has: no page, no language.
  return canonicalUrl(exportContract.export, { ...params, file, ...more });
}

/** The address of a file with all records of an axis. */
export function wholeTarget({ axis }: Pick<StoredAxis, 'axis'>, format: string): string {
  const heading = format === 'csv' ? { header: 'label' } : {};
  return canonicalUrl(exportContract.export, { file: `${axis.code}.${format}`, ...heading });
}

/** Label of a field in the language of a page. */
export function labelIn(
  field: Pick<Field, 'name' | 'label'> & Partial<Pick<Field, 'labelEn' | 'labelSource'>>,
  language: Language,
): string {
  return language === 'en' ? (field.labelEn ?? shownLabel(field)) : shownLabel(field);
}

/** Label of a field with its unit, unless the label has it: `거래금액 (만원)`. */
export function labelWithUnit(field: Field, language: Language): string {
  const label = labelIn(field, language);
  const unit = unitBeside(label, field.unit);
  return unit === null ? label : `${label} (${unit})`;
}

/** Title of an axis in the language of a page. */
export function titleIn(stored: Pick<StoredAxis, 'axis' | 'fields'>, language: Language): string {
  const { title, titleEn } = stored.axis;
  return language === 'en' ? (titleEn ?? title) : readableTitle(stored);
}
