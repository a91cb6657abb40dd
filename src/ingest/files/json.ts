import { nameColumns } from './column-names.ts';
import { countFilled } from './header-rows.ts';
import { singleRecord } from './json-answer.ts';
import { cellOf, parseRecord } from './json-record.ts';
import {
  chooseArray,
  isFieldList,
  membersOf,
  scannerOf,
  surveyJson,
  whyBroken,
  type JsonSurvey,
} from './json-survey.ts';
import type { FileLimits } from './limits.ts';
import { FileRefused } from './refused.ts';
import type { ByteSource } from './source.ts';
import { TableBody } from './table-body.ts';
import type { Batch, Encoding, FindingSink, Table } from './table.ts';
import { readText } from './text.ts';

/**
 * The records of a JSON text as a table: the portal's `{fields, records}`, an answer's envelope, a plain
 * array, one object a line, GeoJSON, or a single object. Read twice, so that every member that any record
 * has is a column; records are cut out and parsed one by one.
 */
export async function jsonTable(
  source: ByteSource,
  encoding: Encoding,
  part: string | null,
  limits: FileLimits,
  finding: FindingSink,
): Promise<Table> {
  const survey = await surveyJson(source, encoding, limits);
  if (survey.scalars.get('type') === '"Topology"') {
    throw new FileRefused(
      'not_a_table',
      `${source.name} is TopoJSON: shapes, not records; load the attributes as CSV or GeoJSON.`,
    );
  }
  const chosen = chooseArray(source.name, survey);
  const table = { part, format: 'json', encoding } as const;
  if (chosen === null) {
    const record = await singleRecord(source, encoding, survey, limits);
    const names = Object.keys(record.members);
    const cells = names.map((name) => cellOf(record.members[name], false));
    const batch: Batch = { rows: [cells], sourceRows: [1] };
    return { ...table, ...namedColumns(names, record.renamed), batches: oneBatch(batch) };
  }
  for (const [path, array] of survey.arrays) {
    if (path === chosen || isFieldList(path) || path.endsWith('.head')) continue;
    const detail = `The ${array.count} records at ${path} are not held: those at ${chosen} are.`;
    finding({ kind: 'part_not_held', row: null, detail });
  }
  // The array was chosen among them.
  const array = survey.arrays.get(chosen)!;
  if (array.broken !== null && array.keys.size === 0) {
    throw new FileRefused(
      'damaged',
      `${source.name} has no record that can be read. Record ${array.broken.row}: ${array.broken.why}`,
    );
  }
  const keys = new Set([...survey.fields, ...array.keys]);
  if (keys.size > limits.columnsMax) {
    throw new FileRefused(
      'too_large',
      `The records of ${source.name} have ${keys.size} different members, more than ${limits.columnsMax}.`,
    );
  }
  return {
    ...table,
    ...namedColumns([...keys], [...array.renamed]),
    batches: readRecords(
      { source, encoding, path: chosen, form: survey.form },
      [...keys].map((name) => ({ name, spelled: array.spelled.has(name) })),
      limits,
      finding,
    ),
  };
}

interface JsonPlace {
  readonly source: ByteSource;
  readonly encoding: Encoding;
  readonly path: string;
  readonly form: JsonSurvey['form'];
}

/** A member to be read; `spelled` when its numbers are read as their digits, all of them alike. */
interface JsonMember {
  readonly name: string;
  readonly spelled: boolean;
}

async function* readRecords(
  place: JsonPlace,
  wanted: readonly JsonMember[],
  limits: FileLimits,
  finding: FindingSink,
): AsyncIterable<Batch> {
  const body = new TableBody(wanted.length, finding);
  let ordinal = 0;
  const scanner = scannerOf(place.form, limits, {
    record(path, text, names) {
      if (path !== place.path) return;
      ordinal += 1;
      const record = parseRecord(text, names);
      if (record === null) {
        finding({ kind: 'row_unreadable', row: ordinal, detail: whyBroken(text) });
        return;
      }
      if (record.mended) {
        const detail = 'Quotes inside a string were not escaped.';
        finding({ kind: 'quote_broken', row: ordinal, detail });
      }
      if (record.hasBrokenCharacters) {
        const detail = 'An escape is no character: it is shown as U+FFFD.';
        finding({ kind: 'character_unreadable', row: ordinal, detail });
      }
      const members = membersOf(record, path);
      const cells = wanted.map(({ name, spelled }) => cellOf(members[name], spelled));
      // A table that was turned into JSON spells out its empty cells beside a foot note.
      const mayBeNote = Object.keys(members).length === wanted.length;
      body.add(cells, countFilled(cells), ordinal, mayBeNote);
    },
    scalar(path, raw) {
      if (path !== place.path) return;
      ordinal += 1;
      finding({ kind: 'row_unreadable', row: ordinal, detail: whyBroken(raw) });
    },
    secondRoot() {},
  });
  for await (const text of readText(place.source, place.encoding)) {
    scanner.write(text);
    if (body.full) yield body.take();
  }
  scanner.end();
  yield body.end();
}

/** Columns for the members of records, of which `given` were named by us. */
function namedColumns(
  names: readonly string[],
  given: readonly string[],
): Pick<Table, 'columns' | 'layout'> {
  const { columns, renamed } = nameColumns(names.map((name) => name.trim() || null));
  const units = columns.map(() => null);
  const renamedColumns = [...new Set([...given, ...renamed])];
  return { columns, layout: { titleLines: [], headerRows: 0, units, renamedColumns } };
}

async function* oneBatch(batch: Batch): AsyncIterable<Batch> {
  yield batch;
}
