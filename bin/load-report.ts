import { basename } from 'node:path';
import type { Language } from '../src/contract/language.ts';
import { findingTitles } from '../src/ingest/files/finding-titles.ts';
import type { FindingKind } from '../src/ingest/files/table.ts';
import type { FileFindings, FindingExample } from '../src/ingest/load/findings.ts';
import type { SkippedFile } from '../src/ingest/load/inputs.ts';
import type { LoadReport } from '../src/ingest/load/load.ts';
import type { LoadedAxis } from '../src/ingest/load/loaded-axes.ts';
import { loadTexts, type LoadTexts } from './load-texts.ts';
import { formatCount, oneLine } from './terminal.ts';

/** Writes the lines of a load's report in one language. */
export class LoadReporter {
  readonly #language: Language;
  readonly #texts: LoadTexts;

  constructor(language: Language) {
    this.#language = language;
    this.#texts = loadTexts[language];
  }

  /** Writes the line about an imported axis. */
  axisLine(axis: LoadedAxis): string {
    const { code, title, rows, fields, findings } = axis;
    const counts = findings
      .map(({ kind, count }) => `${findingTitles[kind][this.#language]} ${formatCount(count)}`)
      .join(', ');
    const kinds = counts === '' ? '' : `  [${counts}]`;
    const size = this.#texts.size(formatCount(rows), fields);
    return `${code}  ${size}  ${title}${this.#codeNote(axis)}${this.#replacement(axis)}${kinds}`;
  }

  skippedLine({ path, code, message }: SkippedFile): string {
    return `${this.#texts.skipped}  ${oneLine(path)}  ${code}: ${oneLine(message[this.#language])}`;
  }

  progressLine(axesDone: number, axesTotal: number, rows: number, elapsedMs: number): string {
    const perSecond = formatCount(rate(rows, elapsedMs));
    return this.#texts.progress(`${axesDone}/${axesTotal}`, formatCount(rows), perSecond);
  }

  /** Writes the lines about the findings and the outcome. */
  lines(report: LoadReport): string[] {
    const { axes, notHeld, passedOver, rows, elapsedMs } = report;
    const texts = this.#texts;
    const provisional = axes.filter(
      ({ isProvisional, insteadOf, mainCode, candidates }) =>
        isProvisional && insteadOf === null && mainCode === null && candidates.length === 0,
    );
    return [
      ...axes.flatMap(({ code, findings }) =>
        findings.flatMap((finding) => this.#findingLines(code, finding)),
      ),
      ...this.#passedOverLines(passedOver),
      ...provisional.slice(0, 1).map(({ code }) => texts.provisional(provisional.length, code)),
      texts.summary({
        axes: axes.length,
        rows,
        seconds: (elapsedMs / 1000).toFixed(1),
        perSecond: formatCount(rate(rows, elapsedMs)),
        skipped: notHeld.length,
        noDataFormat: passedOver.length,
      }),
      this.#outcome(report),
    ];
  }

  #outcome({ snapshot, data, isUnchanged }: LoadReport): string {
    if (snapshot === null) return this.#texts.notPublished;
    return isUnchanged
      ? this.#texts.unchanged(snapshot, data)
      : this.#texts.published(snapshot, data);
  }

  #passedOverLines(passedOver: readonly string[]): string[] {
    if (passedOver.length === 0) return [];
    const names = passedOver.slice(0, passedOverShownMax).map((path) => oneLine(basename(path)));
    const more = passedOver.length - names.length;
    const rest = more > 0 ? ` ${this.#texts.more(formatCount(more))}` : '';
    const advice = passedOver.some(isDocumentName) ? [`  ${this.#texts.documents}`] : [];
    return [`${this.#texts.noDataFormat}  ${names.join(', ')}${rest}`, ...advice];
  }

  #findingLines(code: string, { kind, count, examples }: FileFindings): string[] {
    const title = findingTitles[kind][this.#language];
    const groups = this.#groupExamples(examples).slice(0, linesShownMax);
    const more = examples.length - groups.reduce((sum, { rows }) => sum + rows, 0);
    const rest = `  ${this.#texts.more(formatCount(more))} (${this.#texts.seeAll})`;
    const rowsOfListedValues = kindsOfValues.has(kind) ? count - examples.length : 0;
    return [
      `${code}  ${kind}: ${this.#texts.finding(title, formatCount(count))}`,
      ...groups.map(({ line }) => `  ${oneLine(line)}`),
      ...(more > 0 ? [rest] : []),
      ...(rowsOfListedValues > 0
        ? [`  ${this.#texts.sameValues(formatCount(rowsOfListedValues))}`]
        : []),
    ];
  }

  /** Makes one line of all examples of a file with the same text. */
  #groupExamples(examples: readonly FindingExample[]): { line: string; rows: number }[] {
    const groups = Map.groupBy(examples, ({ file, detail }) => `${file}: ${detail.en}`);
    return [...groups.values()].map((group) => {
      const { file, detail } = group[0]!;
      const rowNumbers = [...new Set(group.flatMap(({ row }) => (row === null ? [] : [row])))];
      const list = rowNumbers.slice(0, rowsShownMax).map(formatCount).join(', ');
      const place =
        rowNumbers.length === 0
          ? ''
          : ` ${this.#texts.rows(list, rowNumbers.length > rowsShownMax)}`;
      const rows = rowNumbers.length > rowsShownMax ? rowsShownMax : group.length;
      return { line: `${file}${place}: ${detail[this.#language]}`, rows };
    });
  }

  #codeNote({ insteadOf, mainCode, candidates }: LoadedAxis): string {
    if (mainCode !== null) return ` ${this.#texts.tableOfFile(mainCode)}`;
    if (insteadOf !== null) return ` ${this.#texts.besideTable(insteadOf)}`;
    if (candidates.length === 0) return '';
    return ` ${this.#texts.candidates(candidates.map((number) => `file_${number}`).join(', '))}`;
  }

  #replacement({ isUnchanged, replaced }: LoadedAxis): string {
    if (replaced === null) return '';
    if (isUnchanged) return `  ${this.#texts.isUnchanged}`;
    return `  ${this.#texts.replaces(formatCount(replaced.rows), replaced.hasOtherFields)}`;
  }
}

function isDocumentName(path: string): boolean {
  return /\.(?:hwpx?|hml|pdf|docx?|pptx?|odt)$/iu.test(path);
}

/** Kinds of findings about values, each of which is listed with its first row. */
const kindsOfValues: ReadonlySet<FindingKind> = new Set([
  'value_odd',
  'date_impossible',
  'date_odd',
  'coordinate_odd',
]);
const passedOverShownMax = 10;
/** Limit on lines of a finding on the terminal, and on row numbers in a line. */
const linesShownMax = 5;
const rowsShownMax = 10;

/** Rows per second. */
function rate(rows: number, elapsedMs: number): number {
  return Math.round((rows / Math.max(1, elapsedMs)) * 1000);
}
