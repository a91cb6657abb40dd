import type { Static } from 'typebox';
import { Type } from '../../contract/type.ts';
import { regionForms } from './enumeration.ts';

const text = Type.String({ minLength: 1 });
const texts = Type.Record(text, text);
const count = Type.Integer({ minimum: 1 });
const countOrZero = Type.Integer({ minimum: 0 });
const closed = { additionalProperties: false } as const;

const listRecords = Type.Object(
  { axis: text, take: texts, only: Type.Optional(texts), expect: count },
  closed,
);

const loop = Type.Union([
  Type.Object(
    {
      kind: Type.Literal('values'),
      parameters: Type.Array(text, { minItems: 1 }),
      values: text,
      stamp: Type.Optional(texts),
    },
    closed,
  ),
  Type.Object(
    {
      kind: Type.Literal('regions'),
      parameter: text,
      form: Type.Union(regionForms.map((form) => Type.Literal(form))),
      on: Type.Optional(text),
    },
    closed,
  ),
  Type.Object(
    { kind: Type.Literal('years'), parameter: text, first: count, ahead: countOrZero },
    closed,
  ),
  Type.Object({ kind: Type.Literal('newest-year'), parameter: text, back: countOrZero }, closed),
  Type.Object(
    {
      kind: Type.Literal('year-span'),
      from: text,
      to: text,
      back: countOrZero,
      ahead: countOrZero,
    },
    closed,
  ),
  Type.Object(
    { kind: Type.Literal('days'), from: text, to: text, back: countOrZero, ahead: countOrZero },
    closed,
  ),
  Type.Object(
    {
      kind: Type.Literal('spans'),
      from: text,
      to: text,
      first: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }),
      days: count,
      until: countOrZero,
      hour: countOrZero,
    },
    closed,
  ),
  Type.Object(
    {
      kind: Type.Literal('hours'),
      date: text,
      time: text,
      delayMinutes: countOrZero,
      hours: count,
    },
    closed,
  ),
  Type.Object(
    {
      kind: Type.Literal('records'),
      axis: text,
      take: texts,
      only: Type.Optional(texts),
      from: Type.Optional(texts),
      stamp: Type.Optional(texts),
      most: count,
      expect: count,
    },
    closed,
  ),
  Type.Object(
    {
      kind: Type.Literal('list'),
      path: text,
      portalId: Type.Optional(text),
      parameters: texts,
      each: Type.Optional(listRecords),
      also: Type.Optional(listRecords),
      take: texts,
      stamp: Type.Optional(texts),
      most: count,
      expect: count,
    },
    closed,
  ),
  Type.Object(
    {
      kind: Type.Literal('walk'),
      parameters: Type.Array(text, { minItems: 1 }),
      field: text,
      most: count,
      expect: count,
    },
    closed,
  ),
]);

const field = Type.Object(
  {
    name: text,
    label: Type.String({ pattern: '[가-힣]' }),
    labelEn: Type.Optional(text),
    labelSource: Type.Optional(Type.Literal('inferred')),
    type: Type.Optional(
      Type.Union(['integer', 'number', 'date', 'datetime'].map((type) => Type.Literal(type))),
    ),
    unit: Type.Optional(text),
    role: Type.Optional(
      Type.Union(
        ['id', 'name', 'address', 'sido', 'sigungu', 'lat', 'lon', 'date', 'phone', 'code'].map(
          (role) => Type.Literal(role),
        ),
      ),
    ),
    aliases: Type.Optional(Type.Array(text)),
    optional: Type.Optional(Type.Literal(true)),
  },
  closed,
);

const family = Type.Object(
  {
    provider: Type.Object({
      name: text,
      nameEn: Type.Union([text, Type.Null()]),
      code: Type.Union([text, Type.Null()]),
    }),
    keyParameter: text,
    parameters: texts,
    json: Type.Union([Type.Object({ parameter: text, value: text }), Type.Null()]),
    paging: Type.Object({
      page: text,
      size: text,
      pageSize: count,
      pageSizeMax: Type.Union([count, Type.Null()]),
      totalPath: text,
    }),
    rows: Type.Object({ json: Type.Union([text, Type.Null()]), xml: text }),
    successCodes: Type.Array(text, { minItems: 1 }),
    emptyCodes: Type.Array(text, { minItems: 1 }),
    dailyQuota: count,
    assumed: Type.Optional(
      Type.Array(Type.Union([Type.Literal('dailyQuota'), Type.Literal('pageSizeMax')])),
    ),
    missing: Type.Optional(Type.Array(text)),
    notes: Type.Array(text),
  },
  closed,
);

const axis = Type.Object(
  {
    code: Type.String({ pattern: '^[a-z0-9_]+$' }),
    family: text,
    title: text,
    titleEn: text,
    type: Type.Optional(Type.Literal('STD')),
    portalId: Type.String({ pattern: '^\\d{8}$' }),
    path: text,
    certain: Type.Optional(Type.Literal(false)),
    parameters: Type.Optional(texts),
    pageSize: Type.Optional(count),
    keyFields: Type.Array(text, { minItems: 1 }),
    keeps: Type.Union([Type.Literal('accumulate'), Type.Literal('mirror')]),
    schedule: Type.String({ pattern: '^P(?:\\d+[DM]|T\\d+[HM])$' }),
    expectedRows: count,
    dailyQuota: Type.Optional(count),
    enumeration: Type.Array(loop),
    fallback: Type.Optional(Type.Array(loop, { minItems: 1 })),
    region: Type.Object(
      {
        sido: Type.Optional(text),
        sigungu: Type.Optional(text),
        dong: Type.Optional(text),
        codes: Type.Optional(Type.Array(text)),
        addresses: Type.Optional(Type.Array(text)),
        lat: Type.Optional(text),
        lon: Type.Optional(text),
        join: Type.Optional(Type.Object({ axis: text, field: text }, closed)),
      },
      closed,
    ),
    notes: Type.Optional(Type.Array(text)),
    fields: Type.Array(field, { minItems: 1 }),
  },
  closed,
);

/** Schema of `axes.json`. Properties that the axes of a family share are written once, with the family. */
export const axisFile = Type.Object(
  { families: Type.Record(text, family), axes: Type.Array(axis) },
  closed,
);
export type AxisFile = Static<typeof axisFile>;
export type AxisEntry = AxisFile['axes'][number];
export type FieldEntry = AxisEntry['fields'][number];
