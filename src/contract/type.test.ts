import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type as TypeBox } from 'typebox';
import { Type } from './type.ts';

test('every builder makes the schema that TypeBox makes, with its keys in the same order', () => {
  assert.equal(
    JSON.stringify(schemasBy(Type), null, 1),
    JSON.stringify(schemasBy(TypeBox), null, 1),
  );
});

/** Schemas of every builder, with and without options. */
function schemasBy(type: typeof Type) {
  const described = { description: 'A value.' };
  const object = type.Object(
    {
      text: type.String({ minLength: 1, pattern: '^a' }),
      number: type.Optional(type.Number(described)),
      one: type.Optional(type.Literal('one', described)),
    },
    { additionalProperties: false, ...described },
  );
  return [
    object,
    type.Object({}),
    type.Object({ list: type.Optional(type.Array(type.Integer({ minimum: 1 }), { maxItems: 3 })) }),
    // Neither a part that is optional nor its copy makes another one so.
    type.Object({ one: object.properties.one, text: object.properties.text, copy: { ...object } }),
    type.Partial(object),
    type.Object(type.Partial(object).properties),
    type.Union([type.Null(), type.Boolean({ default: true }), type.Literal(1)], described),
    type.Intersect([object, type.Object({ more: type.Unknown(described) })], described),
    type.Record(type.String(), type.Unknown(), described),
    type.Enum(['a', 'b'], described),
    type.Unsafe<string>(type.Union([object, type.Null(described)])),
    type.Optional(type.Literal(true)),
  ];
}
