import assert from 'node:assert/strict';
import { test } from 'node:test';
import Schema from 'typebox/schema';
import { closed } from '../../../test/fixtures/lookup-app.ts';
import { exportContract } from '../../contract/export-routes.ts';
import { lookupContract } from '../../contract/lookup.ts';
import { membersContract } from '../../contract/members.ts';
import type { Route } from '../../contract/route.ts';
import answers from './example-answers.json' with { type: 'json' };
import type { ExampleAnswer } from './example-answers.ts';

const examples: Readonly<Record<string, ExampleAnswer>> = answers;
const lookupRoutes = Object.entries<Route>({ ...lookupContract, ...exportContract });
const calls = lookupRoutes.flatMap(([name, { examples: targets = [] }]) =>
  targets.map(({ target }, at) => ({
    key: `${name}-${at}`,
    target: target.replaceAll('{axis}', 'gen_restdeinfo'),
  })),
);

test('every call of the references has an example answer, unless it returns a binary file', () => {
  const shown = calls.filter(({ target }) => !/\.(?:parquet|xlsx)\b/.test(target));
  assert.deepEqual(
    Object.entries(examples).map(([key, { target }]) => [key, target]),
    [
      ...shown.map(({ key, target }) => [key, target]),
      ...Object.keys(membersContract).map((key) => [key, undefined]),
    ],
  );
});

test('each example answer fits the schema of its route, and a name it lacks is refused', () => {
  for (const [key, { target, answer }] of Object.entries(examples)) {
    if (typeof answer === 'string') {
      assert.match(answer, /^[^\n…]+\n[^]*…$/, key);
      continue;
    }
    // An example of a route can call another one.
    const path = target?.split('?')[0];
    const row: Route | undefined =
      path === undefined
        ? membersContract[key as keyof typeof membersContract]
        : lookupRoutes.find(([, route]) => route.path === path)?.[1];
    const checks = Object.values(row!.answers).map((schema) =>
      Schema.Compile(closed(merged(schema))),
    );
    const whole = withoutMarks(answer);
    assert.ok(
      checks.some((check) => check.Check(whole)),
      `${key}: ${JSON.stringify(checks[0]!.Errors(whole)[1].slice(0, 3))}`,
    );
    const invented = { ...(whole as object), invented: 1 };
    assert.ok(!checks.some((check) => check.Check(invented)), key);
  }
});

/** The answer without the marks of items that were cut. */
function withoutMarks(answer: unknown): unknown {
  return JSON.parse(JSON.stringify(answer), (_, value: unknown) =>
    Array.isArray(value) ? value.filter((item) => item !== '…') : value,
  );
}

/** The schema with each intersection of objects as one object, which can be closed. */
function merged(schema: object): object {
  return JSON.parse(JSON.stringify(schema), (_, value: unknown) => {
    const parts = (value as { allOf?: ObjectSchema[] } | null)?.allOf;
    if (parts === undefined) return value;
    return {
      type: 'object',
      properties: Object.assign({}, ...parts.map(({ properties }) => properties)) as object,
      required: parts.flatMap(({ required = [] }) => required),
    };
  }) as object;
}

interface ObjectSchema {
  readonly properties: object;
  readonly required?: readonly string[];
}
