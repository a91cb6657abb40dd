import type { BilingualText } from '../../contract/language.ts';
import type { FindingCounts } from '../../data/finding.ts';
import type { LocatedValue } from '../fields/located-value.ts';
import type { FieldProfiler } from '../fields/profiler.ts';
import { isCutName, isGeneratedName } from '../files/column-names.ts';
import { findingTexts } from '../files/finding-texts.ts';
import type { FindingKind, FindingSink, Table } from '../files/table.ts';
import type { FindingExample } from './findings.ts';

type AxisFindings = FindingCounts<FindingKind, FindingExample>;

/** Adds a finding about a file as a whole, or about a part of it. */
export function addFileFinding(
  findings: AxisFindings,
  kind: FindingKind,
  file: string,
  detail: BilingualText,
  count = 1,
): void {
  findings.add(kind, [{ file, row: null, detail }], count);
}

/** Reports title lines, second names and renamed columns, because every line of a file is imported or reported. */
export function reportHeaderLines({ columns, layout, format }: Table, sink: FindingSink): void {
  for (const [index, detail] of layout.titleLines.entries()) {
    sink({ kind: 'title_line', row: layout.titleRows?.[index] ?? null, detail });
  }
  const seconds = layout.secondNames?.filter((name) => name !== null);
  if (seconds !== undefined) {
    const row = layout.secondNamesRow ?? null;
    sink({ kind: 'header_repeated', row, detail: findingTexts.secondNames(seconds) });
  }
  const renamed = new Set(layout.renamedColumns);
  const isGrid = format !== 'json' && format !== 'xml';
  if (isGrid && layout.headerRows === 0 && columns.length > 0 && renamed.size === columns.length) {
    sink({ kind: 'column_renamed', row: null, detail: findingTexts.headerMissing(columns) });
    return;
  }
  for (const name of renamed) {
    const position = columns.indexOf(name) + 1;
    sink({ kind: 'column_renamed', row: null, detail: renamingText(name)(position, name) });
  }
}

function renamingText(name: string): (position: number, name: string) => BilingualText {
  if (isGeneratedName(name)) return findingTexts.nameMissing;
  return isCutName(name) ? findingTexts.nameLong : findingTexts.nameRepeated;
}

/** Reports values that are impossible or odd, each with its row. `file` is the first of the axis. */
export function reportOddValues(
  profiler: FieldProfiler,
  findings: AxisFindings,
  file: string,
): void {
  const { dateImpossible, dateFar, dateZero, oddText } = findingTexts;
  for (const { field, type, count, examples } of profiler.oddTexts()) {
    const located = examples.map((value) => at(value, oddText(field, value.text, type)));
    findings.add('value_odd', located, count);
  }
  for (const { field, count, examples } of profiler.impossibleDates()) {
    const located = examples.map((value) => at(value, dateImpossible(field, value.text)));
    findings.add('date_impossible', located, count);
  }
  for (const { field, count, examples } of profiler.oddDates()) {
    const located = examples.map((value) => {
      const text = value.isZero ? dateZero : dateFar;
      return at(value, text(field, value.text));
    });
    findings.add('date_odd', located, count);
  }
  for (const { field, count, examples } of profiler.lostDigits()) {
    const detail = findingTexts.digitsLost;
    findings.add(
      'digits_lost',
      examples.map((value) => at(value, detail(field, value.text))),
      count,
    );
  }
  for (const { field, count, examples } of profiler.codesAsDates()) {
    const detail = findingTexts.codeAsDate;
    findings.add(
      'code_as_date',
      examples.map((value) => at(value, detail(field, value.text))),
      count,
    );
  }
  reportStrayCoordinates(profiler, findings, file);
}

function reportStrayCoordinates(
  profiler: FieldProfiler,
  findings: AxisFindings,
  file: string,
): void {
  const { coordinateOutside, coordinateSwapped, coordinateUnread } = findingTexts;
  for (const stray of profiler.strayCoordinates()) {
    const { field, count, examples, readAs, isReadAsLabelled } = stray;
    const located = examples.map((value) => {
      const text = value.isSwapped ? coordinateSwapped : coordinateOutside;
      return at(value, text(field, value.text));
    });
    const ofColumn = { file, row: null, detail: coordinateUnread(field, readAs) };
    // A column that is read as the other coordinate is reported once, without its values.
    const odd = isReadAsLabelled ? located : [ofColumn, ...(readAs === null ? located : [])];
    findings.add('coordinate_odd', odd, count);
  }
}

function at({ file, row }: LocatedValue, detail: BilingualText): FindingExample {
  return { file, row, detail };
}
