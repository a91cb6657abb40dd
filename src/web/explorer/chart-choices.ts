import type { Language } from '../../contract/language.ts';
import type { Field, StoredAxis } from '../../data/axis.ts';
import type { Aggregate } from '../../data/columns/aggregates.ts';
import type { GroupKey } from '../../data/columns/group-keys.ts';
import { unitBeside } from '../../data/shown-label.ts';
import { printName } from '../../lookup/where/print.ts';
import { chartTexts } from './chart-texts.ts';
import { labelIn } from './dataset-view.ts';

/** A key or a value of a chart, as the form offers it. */
export interface ChartChoice {
  /** Text of the parameter. */
  readonly term: string;
  readonly text: string;
}

interface ChoiceGroup {
  readonly heading: string;
  readonly choices: readonly ChartChoice[];
}

interface Choosing {
  readonly stored: StoredAxis;
  readonly language: Language;
}

/** The keys that a chart of a dataset can have: by time, by region, by category. */
export function keyChoices(view: Choosing): readonly ChoiceGroup[] {
  const { fields, regions } = view.stored;
  const words = chartTexts[view.language];
  const choiceOf = (column: string, part: GroupKey['part'] = 'value'): ChartChoice => {
    const term = termOfKey({ column, part });
    return { term, text: keyText({ name: term, column, part }, view) };
  };
  const groups = [
    {
      heading: words.byTime,
      choices: fields
        .filter(isTime)
        .flatMap((field) =>
          isYears(field)
            ? [choiceOf(field.name)]
            : partsOf(field).map((part) => choiceOf(field.name, part)),
        ),
    },
    {
      heading: words.byRegion,
      choices: regions.length === 0 ? [] : [choiceOf('_sido'), choiceOf('_sigungu')],
    },
    {
      heading: words.byCategory,
      choices: fields
        .filter((field) => isCategory(field) && !isYears(field) && !isRegionOf(field, regions))
        .map(({ name }) => choiceOf(name)),
    },
  ];
  return groups.filter(({ choices }) => choices.length > 0);
}

/** The values that a chart can show: a count, or a measure of a field of numbers. */
export function valueChoices(view: Choosing): readonly ChoiceGroup[] {
  const choiceOf = (called: Aggregate['function'], column: string | null): ChartChoice => {
    const term = termOfValue({ function: called, column });
    return { term, text: valueText({ name: term, function: called, column }, view) };
  };
  const measured = view.stored.fields.filter(isMeasure).map((field) => ({
    heading: labelIn(field, view.language),
    choices: measures.map((measure) => choiceOf(measure, field.name)),
  }));
  const count = { heading: chartTexts[view.language].records, choices: [choiceOf('count', null)] };
  return [count, ...measured];
}

const measures = ['sum', 'avg', 'median', 'max'] as const;

/** Text of a key in the parameter `by`. */
export function termOfKey({ column, part }: Pick<GroupKey, 'column' | 'part'>): string {
  return part === 'value' ? printName(column) : `${part}(${printName(column)})`;
}

/** Text of a value in the parameter `agg`. */
export function termOfValue({
  function: called,
  column,
}: Pick<Aggregate, 'function' | 'column'>): string {
  return column === null ? called : `${called}(${printName(column)})`;
}

/** Name of a key in the language of the page. */
export function keyText({ column, part }: GroupKey, view: Choosing): string {
  const words = chartTexts[view.language];
  if (column === '_sido') return words.sido;
  if (column === '_sigungu') return words.sigungu;
  const label = columnLabel(column, view);
  return part === 'value' ? label : words.parts[part](label);
}

/** Name of a value in the language of the page. */
export function valueText({ function: called, column }: Aggregate, view: Choosing): string {
  const words = chartTexts[view.language];
  if (called === 'count' || column === null) return words.count;
  const text = words.measures[called](columnLabel(column, view));
  const unit = unitOf({ function: called, column }, view);
  return unit === null ? text : `${text} (${unit})`;
}

/** Unit of the values of a chart; null for a count, and where the source names none. */
export function unitOf(
  { function: called, column }: Pick<Aggregate, 'function' | 'column'>,
  { stored, language }: Choosing,
): string | null {
  const field = stored.fields.find(({ name }) => name === column);
  if (field === undefined || called === 'count' || called === 'distinct') return null;
  return unitBeside(labelIn(field, language), field.unit);
}

function columnLabel(column: string, { stored, language }: Choosing): string {
  const field = stored.fields.find(({ name }) => name === column);
  return field === undefined ? column : labelIn(field, language);
}

/**
 * The key of a chart for which none is given: the time of an event, else the region, else the time at which a thing
 * began, else the category with the fewest values.
 */
export function firstKey({ fields, regions }: StoredAxis): string | null {
  const times = fields.filter(isTime);
  const time = times.find((field) => !isBeginning(field));
  if (time === undefined && regions.length > 1) return firstRegionKey(regions);
  const used = time ?? times[0];
  if (used !== undefined) {
    return termOfKey({ column: used.name, part: isYears(used) ? 'value' : partFor(used) });
  }
  const [category] = fields
    .filter(isCategory)
    .toSorted((a, b) => a.stats.distinct! - b.stats.distinct!);
  return category === undefined ? null : printName(category.name);
}

/** Districts of a dataset that lies in one province. */
function firstRegionKey(regions: StoredAxis['regions']): '_sido' | '_sigungu' {
  return new Set(regions.map(({ code }) => code.slice(0, 2))).size > 1 ? '_sido' : '_sigungu';
}

/** True for the year in which a thing was made: 건축년도 of flats that were sold later. */
function isBeginning(field: Field): boolean {
  return isYears(field) && /건축|준공|완공|제작|제조/.test(field.label);
}

/**
 * The value of a chart for which none is given: the sum of the only field that counts, if each record stands for at least
 * one of what it counts (승강기 대수), else the number of records. Of fires without casualties the records count.
 */
export function firstValue({ fields }: Pick<StoredAxis, 'fields'>): string {
  const [field, other] = fields.filter(
    (one) => one.type === 'integer' && one.unit !== '원' && isMeasure(one) && isCount(one),
  );
  if (field === undefined || other !== undefined) return 'count';
  if (Number(field.stats.min ?? 0) < 1 || Number(field.stats.max) < 2) return 'count';
  return termOfValue({ function: 'sum', column: field.name });
}

/** The parts of the dates of a field; months have no days. */
function partsOf(field: Field): readonly ('year' | 'month' | 'day')[] {
  return isMonths(field) ? ['year', 'month'] : ['year', 'month', 'day'];
}

/** True if the values of a field of dates are months. */
function isMonths({ stats: { min } }: Field): boolean {
  return String(min).length === 7;
}

/** The part of a date that gives a line of a readable number of points. */
function partFor(field: Field): 'year' | 'month' | 'day' {
  const { stats } = field;
  const [from, to] = [stats.min, stats.max].map((date) => Date.parse(String(date)));
  const days = ((to ?? NaN) - (from ?? NaN)) / 86_400_000;
  return days > 5 * 366 ? 'year' : days > 92 || isMonths(field) ? 'month' : 'day';
}

function isTime(field: Field): boolean {
  return (field.type === 'date' || field.type === 'datetime' || isYears(field)) && isVaried(field);
}

/** True if the values of a field of integers are years. */
export function isYears({ type, stats: { min, max } }: Field): boolean {
  return type === 'integer' && Number(min) >= 1900 && min !== null && Number(max) <= 2100;
}

/** True if the values of a field are the months of any year, 1 to 12. */
export function isMonthOfYear({ type, label, stats: { min, max } }: Field): boolean {
  return type === 'integer' && /(?<!개)월$/.test(label) && Number(min) >= 1 && Number(max) <= 12;
}

/** The field with the year of the records; null if there is none or all are of one year. */
export function yearField({ fields }: Pick<StoredAxis, 'fields'>): Field | null {
  return (
    fields.find((field) => isYears(field) && isVaried(field) && /[연년]도?$/.test(field.label)) ??
    null
  );
}

/** True for a field of provinces or districts of a dataset whose chart uses the region table instead. */
function isRegionOf({ role, label }: Field, regions: StoredAxis['regions']): boolean {
  return (
    regions.length > 0 && (role === 'sido' || role === 'sigungu' || /^시(?:도|군구)$/.test(label))
  );
}

/** True if a chart can have the time as its key. */
export function hasTime({ fields }: Pick<StoredAxis, 'fields'>): boolean {
  return fields.some(isTime);
}

function isVaried({ stats }: Field): boolean {
  return stats.distinct === null || stats.distinct > 1;
}

/** True if values repeat, so that a group has several records. */
function isCategory({ type, role, label, stats }: Field): boolean {
  const { distinct, nonNull } = stats;
  if (type === 'date' || type === 'datetime' || type === 'number') return false;
  if (role === 'id' || role === 'lat' || role === 'lon' || isNumbering(label)) return false;
  return distinct !== null && distinct > 1 && distinct * 2 <= nonNull;
}

/** True for a field of numbers that are amounts. */
export function isMeasure(field: Field): boolean {
  const { type, role, label } = field;
  if (role !== null || isNumbering(label)) return false;
  return (type === 'integer' || type === 'number') && !isYears(field);
}

/** True for the label of a lot number or a serial number, which neither adds up nor groups anything. */
function isNumbering(label: string): boolean {
  return /(?:본번|부번|지번|번지|순번|연번|일련번호)$/.test(label);
}

/** True for a field that counts things or money, whose sum means something; the sum of hours or fees does not. */
export function isCount({ label, unit }: Field): boolean {
  if (/(?:점|지|계|층|배|차|함)수$|시간|요금|단가|가격|평균|[비확]율|[비확]률/.test(label))
    return false;
  if (unit !== null) return countUnits.has(unit);
  return /(?:수|건|명|인원|금액|매출액?|사망자?|부상자?|수량|대수)$/.test(label);
}

const countUnits: ReadonlySet<string> = new Set(['건', '명', '인', '대', '면', '개', '개소', '원']);
