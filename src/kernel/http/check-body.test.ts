import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { adminContract } from '../../contract/admin.ts';
import { membersContract } from '../../contract/members.ts';
import type { Route } from '../../contract/route.ts';
import { Problem } from '../problem.ts';
import { checkBody } from './check-body.ts';

const body = Type.Object({
  id: Type.Union([Type.String({ minLength: 1, maxLength: 4 }), Type.Number()]),
  scope: Type.Optional(Type.Enum(['one', 'all'])),
  list: Type.Array(Type.String(), { maxItems: 2 }),
  limit: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
  flag: Type.Optional(Type.Boolean()),
  extra: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
});

test('a body is accepted exactly when a JSON Schema validator accepts it', () => {
  const text = fc.constantFrom('', 'a', 'four', 'seven', '강남구청', '😀😀😀😀', 'one', 'all');
  const scalar = fc.oneof(text, fc.integer(), fc.double(), fc.boolean(), fc.constant(null));
  const value = fc.oneof(scalar, fc.array(text, { maxLength: 3 }), fc.dictionary(text, scalar));
  const names = Object.keys(body.properties) as (keyof typeof body.properties)[];
  const valid = { id: 'a', list: [] };
  const record = fc.dictionary(fc.constantFrom(...names), value);
  fc.assert(
    fc.property(record, (changes) => {
      const sentBody = { ...valid, ...changes };
      assert.equal(
        refusalOf(sentBody) === null,
        Value.Check(body, sentBody),
        JSON.stringify(sentBody),
      );
    }),
    { numRuns: 2_000 },
  );
});

test('every error of a body has the pointer of its value and describes the accepted values', () => {
  const problem = refusalOf({ id: 'seven', scope: 'two', list: ['a', 1], limit: 1.5 })!;
  assert.deepEqual([problem.status, problem.code], [422, 'validation_failed']);
  assert.deepEqual(
    problem.errors.map((error) => 'pointer' in error && [error.pointer, error.fix.en]),
    [
      ['/id', 'Send a string of 1 to 4 characters or a number.'],
      ['/scope', 'Send one of one, all.'],
      ['/list/1', 'Send a string.'],
      ['/limit', 'Send an integer or null.'],
    ],
  );
  const missing = refusalOf({ list: ['a', 'b', 'c'] })!;
  assert.equal(missing.detail.en, 'id is missing. list is not valid.');
  assert.equal(missing.detail.ko, 'id 값이 없습니다. list 값이 올바르지 않습니다.');
});

test('a body with a thousand faults is refused with the first sixteen', () => {
  const list = Type.Object({ list: Type.Array(Type.String()) });
  const sentBody = { list: Array.from({ length: 1_000 }, () => 1) };
  assert.equal(refusalOf(sentBody, list)?.errors.length, 16);
});

test('the bodies of the contracts use only keywords that are checked', () => {
  const checkedKeywords = new Set(
    'type properties required items maxItems minLength maxLength anyOf const enum x-lenient'.split(
      ' ',
    ),
  );
  // These describe a schema, or allow further properties.
  const otherKeywords = new Set([
    'description',
    'examples',
    'additionalProperties',
    'patternProperties',
  ]);
  const unknown = [membersContract, adminContract]
    .flatMap((rows) => Object.values<Route>(rows))
    .flatMap((row) =>
      keywordsOf(row.body).filter((word) => !checkedKeywords.has(word) && !otherKeywords.has(word)),
    );
  assert.deepEqual([...new Set(unknown)], []);
});

/** Every keyword of a JSON Schema and of the schemas inside it. */
function keywordsOf(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(keywordsOf);
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([word, inner]: [string, unknown]) => {
    if (word === 'properties') return [word, ...Object.values(inner as object).flatMap(keywordsOf)];
    const isSchema = word === 'items' || word === 'anyOf';
    return isSchema ? [word, ...keywordsOf(inner)] : [word];
  });
}

function refusalOf(sentBody: Record<string, unknown>, schema: typeof body | object = body) {
  const row = { method: 'POST', path: '/', parameters: {}, answers: {}, problems: [] } as const;
  try {
    checkBody({ ...row, purpose: { ko: '', en: '' }, body: schema }, sentBody);
    return null;
  } catch (error) {
    assert.ok(error instanceof Problem);
    return error;
  }
}
