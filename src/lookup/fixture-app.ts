import assert from 'node:assert/strict';
import Schema from 'typebox/schema';
import { lookupContract } from '../contract/lookup.ts';
import { problemAnswer } from '../contract/schemas.ts';
import type { Endpoint } from '../kernel/http/endpoint.ts';
import { createFront } from '../kernel/http/front.ts';
import type { App } from '../kernel/http/route.ts';
import { silentLog } from '../kernel/log.ts';
import { createLookupApp } from './app.ts';
import { StoreHolder } from './current-store.ts';
import { fixtureStore, fixtureToday } from './fixture.ts';
import type { MemoryStore } from './store/memory.ts';

/** The service over the fixture, asked in-process. */
export function setUp(today = fixtureToday): { app: App; store: MemoryStore; holder: StoreHolder } {
  const holder = new StoreHolder();
  const store = fixtureStore();
  void holder.replace(store);
  const app = createLookupApp({
    holder,
    settings: { MARU_BASE_URL: null },
    front: createFront(silentLog),
    today: () => today,
  });
  return { app, store, holder };
}

/** The JSON of an answer. */
export async function json(app: App, target: string, init?: RequestInit): Promise<Answer> {
  const response = await app.request(target, init);
  return (await response.json()) as Answer;
}

/** Answers are checked against their schemas in one place; elsewhere tests read what they need. */
export interface Answer {
  readonly items: readonly Answer[];
  readonly [member: string]: unknown;
}

/** The eight rows of the contract. */
export const rows: readonly [string, Endpoint][] = Object.entries<Endpoint>(lookupContract);

/** Checks an answer of an endpoint, good or bad, against the contract. */
export async function assertSound(name: string, response: Response): Promise<void> {
  assert.ok(response.status < 500, `${name} ${response.status}`);
  const body: unknown = await response.json();
  if (response.status === 200) {
    const [sound, errors] = checks.get(name)!.Errors(body);
    assert.ok(sound, `${name}: ${JSON.stringify(errors.slice(0, 3))}`);
  } else {
    assertProblem(response, body);
  }
}

/** Checks that an answer is an error in the one shape of error. */
export function assertProblem(response: Response, body: unknown): void {
  assert.match(response.headers.get('content-type') ?? '', /^application\/problem\+json/);
  const [sound, errors] = problemCheck.Errors(body);
  assert.ok(sound, JSON.stringify(errors.slice(0, 3)));
  assert.equal((body as { status: number }).status, response.status);
  assert.equal((body as { requestId: string }).requestId, response.headers.get('x-request-id'));
}

const checks = new Map(rows.map(([name, row]) => [name, Schema.Compile(closed(row.response))]));
const problemCheck = Schema.Compile(closed(problemAnswer));

/** Tests refuse members the contract does not name; callers must not. */
function closed(schema: object): object {
  return JSON.parse(JSON.stringify(schema), (_, value: unknown) =>
    isObjectSchema(value) ? { ...value, additionalProperties: false } : value,
  ) as object;
}

function isObjectSchema(value: unknown): value is object {
  return (
    typeof value === 'object' &&
    value !== null &&
    'type' in value &&
    value.type === 'object' &&
    'properties' in value
  );
}
