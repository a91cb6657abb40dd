import type { TObject, TProperties } from 'typebox';
import {
  catalogType,
  count,
  fieldType,
  license,
  nullable,
  object,
  oneOf,
  origin,
  row,
} from './shapes.ts';
import { Type } from './type.ts';

/** A tool of the MCP server, in the terms of the API. Tools only read. */
export interface Tool {
  readonly title: string;
  readonly description: string;
  readonly input: TObject;
  readonly output: TObject;
}

/** Items of an answer; a larger limit is reduced to it. */
export const toolLimitMax = 50;

/** Tools by name, in the order in which an agent needs them. */
export const tools = {
  find_datasets: {
    title: 'Find datasets',
    description:
      'Finds datasets of Korean public data by topic: stored ones, which can be queried here, and entries of the portal’s catalog that are not stored. Search with Korean words (주차장, 도서관, 화재). Without q it lists all stored datasets, or with held=false the keywords that people search for and that are not stored here; search for one as q to see what the catalog has. Use it before you conclude that there is no data.',
    input: toolArguments({
      q: optional(Type.String({ maxLength: 200, description: 'Topic, best in Korean: 주차장' })),
      region: region('Only datasets with records there: 강남구, 부산, 서울 종로구.'),
      held: optional(
        Type.Boolean({
          description: 'true: stored datasets only. false: only what is not stored.',
        }),
      ),
      ...paging(10),
    }),
    output: answer({
      items: Type.Array(
        object({
          axis: nullable(Type.String()),
          catalogId: nullable(Type.String()),
          title: Type.String(),
          provider: nullable(Type.String()),
          type: nullable(catalogType()),
          matched: nullable(Type.String()),
          rows: nullable(count()),
          count: Type.Optional(count()),
          origin: nullable(origin()),
          freshness: nullable(freshness()),
          date: nullable(Type.String()),
          license: nullable(Type.String()),
          url: nullable(Type.String()),
        }),
      ),
      total: count(),
      demand: Type.Optional(
        Type.Array(
          object({
            rank: count(),
            keyword: Type.String(),
            index: nullable(Type.Number()),
            catalogTotal: count(),
            origin: origin(),
          }),
        ),
      ),
      demandTotal: Type.Optional(count()),
    }),
  },
  describe_dataset: {
    title: 'Describe a dataset',
    description:
      'Describes one stored dataset: its fields with Korean labels, types, ranges and examples, its provider, licence, age and known defects. Read it before query_records or summarize.',
    input: toolArguments({ axis: axis(), cursor: cursor() }),
    output: answer({
      axis: Type.String(),
      title: Type.String(),
      rows: count(),
      items: Type.Array(
        object({
          name: Type.String(),
          label: Type.String(),
          type: fieldType(),
          role: nullable(Type.String()),
          unit: nullable(Type.String()),
          nonNull: count(),
          distinct: nullable(count()),
          min: nullable(Type.Union([Type.Number(), Type.String()])),
          max: nullable(Type.Union([Type.Number(), Type.String()])),
          examples: Type.Array(Type.String()),
        }),
      ),
      total: count(),
      provider: nullable(Type.String()),
      license: nullable(license()),
      freshness: freshness(),
      sourceModified: nullable(Type.String()),
      collectedAt: Type.String(),
      updateCycle: nullable(Type.String()),
      keyFields: Type.Array(Type.String()),
      hasCoordinates: Type.Boolean(),
      findings: Type.Array(Type.String()),
      page: Type.String(),
      url: nullable(Type.String()),
    }),
  },
  query_records: {
    title: 'Query records',
    description:
      'Returns records of one dataset: filtered, sorted, near a place, in a region. Name the fields you need in select, and take values as describe_dataset shows them. `total` is exact, and limit=0 only counts.',
    input: toolArguments({
      axis: axis(),
      ...selection(),
      select: names('Fields to return, by name or label: ["주차장명", "요금정보"].'),
      sort: names('At most three fields, - in front for descending: ["-주차구획수"].'),
      ...paging(20),
    }),
    output: answer({
      axis: Type.String(),
      title: Type.String(),
      where: Type.Optional(Type.String()),
      items: Type.Array(row()),
      total: count(),
      fields: Type.Array(object({ name: Type.String(), label: Type.String(), type: fieldType() })),
      freshness: freshness(),
      page: Type.String(),
    }),
  },
  search_records: {
    title: 'Search records',
    description:
      'Full-text search over the records of all datasets, or of one, everywhere or in a region: names, addresses, any text (한마음, 강남역 주차장). Counts by dataset come first. For conditions on fields use query_records.',
    input: toolArguments({
      q: Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Words that must all occur; "quotes" for a phrase.',
      }),
      axis: optional(axis()),
      region: region('Only records there.'),
      ...paging(10),
    }),
    output: answer({
      q: Type.String(),
      datasets: Type.Array(
        object({ axis: Type.String(), title: Type.String(), count: count(), origin: origin() }),
      ),
      items: Type.Array(
        object({
          axis: Type.String(),
          title: nullable(Type.String()),
          origin: origin(),
          more: count(),
          matches: Type.Array(Type.String()),
          record: Type.String(),
        }),
      ),
      total: count(),
      totalRelation: oneOf(['eq', 'gte']),
    }),
  },
  summarize: {
    title: 'Summarize records',
    description:
      'Counts, sums and averages of the records of one dataset, by group: months, provinces, values of a field. by: ["_sido"], ["month(날짜)"], ["요금정보"]; agg: ["count", "sum(주차구획수)", "avg(f)", "median(f)", "min(f)", "max(f)", "distinct(f)"]. Use it instead of reading all records.',
    input: toolArguments({
      axis: axis(),
      by: names(
        'At most three: a field, year(f), month(f), day(f), _sido, _sigungu (districts of cities apart: 창원시 의창구). None: one total.',
      ),
      agg: names('Aggregates; ["count"] when absent.'),
      ...selection(),
      having: optional(
        Type.String({ maxLength: 2_000, description: 'Condition on aggregates: count > 10' }),
      ),
      sort: names('Names of by or agg, - in front for descending: ["-count"].'),
      ...paging(toolLimitMax),
    }),
    output: answer({
      axis: Type.String(),
      title: Type.String(),
      by: Type.Array(Type.String()),
      agg: Type.Array(Type.String()),
      where: Type.Optional(Type.String()),
      items: Type.Array(row()),
      total: count(),
      records: count(),
      totalRows: count(),
      others: nullable(object({ groups: count(), rows: nullable(count()) })),
      unread: Type.Record(Type.String(), count()),
      freshness: freshness(),
      page: Type.String(),
    }),
  },
  describe_region: {
    title: 'Describe a region',
    description:
      'Describes a 시도 or 시군구, current or former (서울 강남구, 광주광역시): its codes, its history, and the datasets with records there. Call it for each of two regions to compare them.',
    input: toolArguments({
      region: Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Name or code: 부산 해운대구',
      }),
      ...paging(20),
    }),
    output: answer({
      region: object({
        asked: Type.String(),
        name: Type.String(),
        code: Type.String(),
        sido: Type.String(),
        level: oneOf(['sido', 'sigungu']),
        since: nullable(Type.String()),
        formerNames: Type.Array(Type.String()),
        isFormer: Type.Boolean(),
      }),
      history: Type.Array(Type.String()),
      items: Type.Array(
        object({
          axis: Type.String(),
          title: Type.String(),
          rows: count(),
          share: Type.Number(),
          origin: origin(),
        }),
      ),
      total: count(),
      page: Type.String(),
    }),
  },
  download_link: {
    title: 'Link to a file',
    description:
      'Returns the address of a file with all records of a dataset, or of those that a condition selects: CSV, NDJSON, GeoJSON, XLSX or Parquet. Nothing is downloaded; give the address to the user.',
    input: toolArguments({
      axis: axis(),
      format: optional(oneOf(['csv', 'xlsx', 'parquet', 'ndjson', 'geojson'])),
      ...selection(),
      select: names('Fields of the file; all when absent.'),
      sort: names('Order of the file.'),
    }),
    output: answer({
      axis: Type.String(),
      title: Type.String(),
      format: Type.String(),
      url: Type.String(),
      rows: count(),
      bytes: nullable(count()),
      sha256: nullable(Type.String()),
      freshness: freshness(),
      page: Type.String(),
    }),
  },
} as const satisfies Record<string, Tool>;

export type ToolName = keyof typeof tools;

/** Arguments of a tool. Others are refused, because a misspelt condition would select everything. */
function toolArguments<Properties extends TProperties>(properties: Properties) {
  return Type.Object(properties, { additionalProperties: false });
}

/** An answer of a tool: its own members, and the members that every answer has. */
function answer<Properties extends TProperties>(properties: Properties) {
  return object({
    notice: nullable(Type.String()),
    ...properties,
    origin: nullable(origin()),
    snapshot: Type.String(),
    citation: nullable(object({ ko: Type.String(), en: Type.String() })),
    cursor: nullable(Type.String()),
  });
}

function optional<Schema extends Parameters<typeof Type.Optional>[0]>(schema: Schema) {
  return Type.Optional(schema);
}

function axis() {
  return Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'Code of a stored dataset, from find_datasets: gen_restdeinfo',
  });
}

function region(description: string) {
  return optional(Type.String({ maxLength: 200, description }));
}

function names(description: string) {
  return optional(Type.Array(Type.String({ maxLength: 200 }), { maxItems: 64, description }));
}

function cursor() {
  return optional(
    Type.String({
      maxLength: 200,
      description: 'From the previous answer, with otherwise equal arguments.',
    }),
  );
}

function paging(fallback: number) {
  return {
    limit: optional(
      Type.Integer({ description: `Items of an answer; ${fallback} by default, at most 50.` }),
    ),
    cursor: cursor(),
  };
}

/** Arguments that select records. */
function selection() {
  return {
    where: optional(
      Type.String({
        maxLength: 2_000,
        description:
          "Condition: fields by name or Korean label with = <> < > <= >=, in (a, b), between a and b, like '%a%', is null, joined by and, or, not. 요금정보 = 유료 and 주차구획수 > 100. A date may be a year or month: 날짜 = 2026-03.",
      }),
    ),
    region: region('A 시도 or 시군구, current or former: 강남구, 부산 중구, 광주광역시.'),
    near: optional(
      Type.Object(
        {
          lat: Type.Number({ description: 'Latitude: 37.5665' }),
          lon: Type.Number({ description: 'Longitude: 126.978' }),
          radius: optional(Type.Number({ description: 'Metres, at most 50,000.' })),
        },
        { description: 'A point: nearest first, if the dataset has coordinates.' },
      ),
    ),
    q: optional(Type.String({ maxLength: 200, description: 'Words that must all occur.' })),
  };
}

function freshness() {
  return oneOf(['fresh', 'due', 'stale', 'unknown']);
}
