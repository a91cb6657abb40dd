import { mkdirSync, rmSync } from 'node:fs';
import type { Value } from '../../data/axis.ts';
import { portalPage } from '../../data/portal/portal-page.ts';
import type { WrittenAxis } from '../../data/snapshot/axis-writer.ts';
import type { AxisDefinition, AxisField } from '../operations/definition.ts';
import { axisDefinition } from '../operations/definitions.ts';
import { ProfiledWriter } from '../../ingest/fields/profiled-writer.ts';
import { totalOf } from '../../ingest/files/total-row.ts';
import { FileRefused } from '../../ingest/files/refused.ts';
import type { CatalogLookup } from '../../ingest/load/identity.ts';
import { firstPageOnlyError } from '../protocol/first-page-only.ts';
import { AxisResponses } from '../runs/axis-responses.ts';
import type { AxisContext } from '../runs/axis-source.ts';
import { unansweredFacts } from '../runs/build-axis.ts';
import { collectAxis, type CollectedResponses } from '../runs/collect-axis.ts';
import { DistinctRecords } from '../runs/distinct.ts';
import { joinCells } from '../runs/page-facts.ts';
import type { RunContext } from '../runs/run-context.ts';
import type { Collection } from '../runs/source.ts';
import { builtFolder } from '../runs/stored-axes.ts';
import { describeFile } from './import-version.ts';
import { inspectDataset } from './inspect-dataset.ts';
import type { PortalSite } from './portal-site.ts';
import { spellColumns, standardHeaders, type SpelledColumn } from './spelling.ts';
import {
  findTable,
  storedTable,
  storeTable,
  type PagedUpstream,
  type PagedTable,
} from './paged-table.ts';

/** A dataset with the upstream of its table. */
export interface TableSource {
  readonly number: string;
  readonly upstream: PagedUpstream;
  readonly site: PortalSite;
  readonly catalog: CatalogLookup;
}

/**
 * Collects a dataset page by page: from api.odcloud.kr, or as standard data. The axis has the same code and field names
 * as if it came from the dataset's file. Throws `PortalError` or `FileRefused`.
 */
export async function collectTable(
  { number, upstream, site, catalog }: TableSource,
  context: AxisContext,
  run: RunContext,
): Promise<Collection<WrittenAxis>> {
  const code = `file_${number}`;
  let table = storedTable(run);
  if (table === null) {
    const { signal } = run;
    table = await findTable(upstream, number, site, { signal, onCall: () => run.count(0) });
    storeTable(run, table);
  }
  const axis = tableDefinition(code, number, table);
  const responses = new AxisResponses(axis, run, context.client);
  const collected = await collectAxis(axis, {
    responses,
    now: run.moment,
    since: null,
    recordsOf: () => {
      throw new Error('The requests of a table are not made of the records of an axis.');
    },
    hadRecords: run.createRecordsTest(),
  });
  refuseRepeatedPages(collected, table.path, number);
  const { title, date } = table;
  const about = { number, title, date, license: null, cycle: null, provider: null };
  const described = describeFile(about, catalog, run.origin, run.moment);
  const isStandard = table.upstream === 'standard';
  const written = writePages(collected, responses, table, builtFolder(context.data, code), {
    ...described,
    type: isStandard ? 'STD' : described.type,
    sourceUrl: isStandard ? portalPage(number, 'STD') : described.sourceUrl,
  });
  const { requests } = collected;
  const unanswered = unansweredFacts(collected);
  return inspectDataset(written, context, run, { requests, unanswered, findings: [] });
}

/** Refuses a table whose pages are all the same. */
function refuseRepeatedPages({ requests }: CollectedResponses, path: string, number: string): void {
  for (const { pages } of requests) {
    const [first, second] = pages.map(({ facts }) => facts);
    if (second === undefined || second.rows === 0 || second.digest !== first?.digest) continue;
    throw firstPageOnlyError(path, portalPage(number, 'FILE'));
  }
}

/**
 * Writes the records of all pages, repeated records included. A page that repeats another while rows are missing is
 * written once; of extra copies of pages, only new records are written.
 */
function writePages(
  { requests, unanswered }: CollectedResponses,
  responses: AxisResponses,
  table: PagedTable,
  folder: string,
  axis: ReturnType<typeof describeFile>,
): WrittenAxis {
  const pages = requests.flatMap((request) => request.pages);
  const keys = pages.map(({ facts }) => [...table.columns, ...facts.unknownFields]);
  const rows = pages.reduce((sum, { facts }) => sum + facts.rows, 0);
  if (rows === 0) {
    const reason = unanswered.first?.message ?? 'It has no record at the moment.';
    throw new FileRefused('no_records', {
      ko: `${axis.code}: 지금은 레코드가 없어 다시 수집하지 않았습니다.`,
      en: `${axis.code} is not collected again: ${reason}`,
    });
  }
  // The keys of api.odcloud.kr are the headers of the file.
  const isOdcloud = table.upstream === 'odcloud';
  const headers = isOdcloud ? new Map<string, string>() : standardHeaders(axis.portalId ?? '');
  const columns = spellColumns(keys, table.columns, headers);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const names = columns.map(({ name }) => name);
  using writer = new ProfiledWriter(folder, names);
  for (const { pages: requestPages, extraCopies, missing } of requests) {
    const distinct = extraCopies.length > 0 ? new DistinctRecords() : null;
    const digests = new Set<string>();
    const add = ({ request, copy }: (typeof extraCopies)[number], isExtra: boolean): void => {
      const page = responses.page(request, copy);
      const positions = columns.map((column) => positionsIn(page.columns, column));
      for (const cells of page.rows) {
        const values = positions.map((each) => textOf(each.map((at) => cells[at]).find(isPresent)));
        const record = distinct === null ? '' : joinCells(values);
        const isNew = distinct === null || distinct.add(record, record, 0) === 'new';
        if (isNew || !isExtra) writer.add(values, totalOf(values) !== null);
      }
    };
    for (const page of requestPages) {
      const isRepeated = missing > 0 && digests.has(page.facts.digest);
      digests.add(page.facts.digest);
      if (!isRepeated) add(page, false);
    }
    for (const copy of extraCopies) add(copy, true);
  }
  return writer.finish({ ...axis, keyFields: writer.profiler.keyFields() });
}

function positionsIn(columns: readonly string[], { keys }: SpelledColumn): number[] {
  return keys.map((key) => columns.indexOf(key)).filter((at) => at >= 0);
}

function isPresent(value: Value | undefined): value is Exclude<Value, null> {
  return value !== undefined && value !== null;
}

/** Converts a value to the text of the file, without white space around it. */
function textOf(value: Value | undefined): string | null {
  if (!isPresent(value)) return null;
  const text = String(value).normalize('NFC').trim();
  return text === '' ? null : text;
}

/** Defines the table like an operation of the standard data: one paged request for all records, in pages of 1,000. */
export function tableDefinition(code: string, number: string, table: PagedTable): AxisDefinition {
  const standard = axisDefinition('std_library');
  if (standard === undefined) throw new Error('The operation std_library has no definition.');
  const { path, columns } = table;
  const isStandard = table.upstream === 'standard';
  return {
    ...standard,
    code,
    title: table.title,
    titleEn: table.title,
    portalId: number,
    path,
    service: path.slice(0, path.lastIndexOf('/')),
    fields: columns.map(publishedField),
    region: {},
    keyFields: [],
    // Words such as null stay, as in the dataset's file.
    missing: [],
    notes: [],
    ...(isStandard ? {} : odcloudProtocol),
  };
}

function publishedField(name: string): AxisField {
  return {
    name,
    label: name,
    labelEn: null,
    labelSource: 'portal',
    type: 'string',
    unit: null,
    role: null,
    aliases: [],
    optional: true,
  };
}

/** Protocol of api.odcloud.kr. The daily quota is that of a development account; the portal may refuse earlier. */
const odcloudProtocol = {
  json: { parameter: 'returnType', value: 'JSON' },
  dailyQuota: 10_000,
  paging: {
    page: 'page',
    size: 'perPage',
    pageSize: 1_000,
    pageSizeMax: 1_000,
    totalPath: 'totalCount',
  },
} as const;
