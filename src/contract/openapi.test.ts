import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApi } from './openapi.ts';

interface Description {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly tags: readonly { readonly name: string }[];
  readonly components: {
    readonly schemas: Record<string, unknown>;
    readonly securitySchemes: Record<string, unknown>;
  };
}

interface Operation {
  readonly operationId: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly security: readonly Record<string, unknown>[];
  readonly responses: Record<
    string,
    { readonly content?: Record<string, { readonly schema: object }> }
  >;
}

// Redocly and Spectral require these of a description; openapi-fetch needs one type for each JSON answer.
test('an OpenAPI description has unique ids and defines all its tags, schemes and schemas', () => {
  const description = openApi({
    services: ['lookup', 'members', 'operators'],
    language: 'en',
  }) as Description;
  const { paths, tags, components } = description;
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  assert.equal(new Set(operations.map(({ operationId }) => operationId)).size, operations.length);
  const tagNames = tags.map(({ name }) => name);
  for (const { operationId, description: text, security, tags: own } of operations) {
    assert.ok(text.length > 10, operationId);
    assert.ok(
      own.every((tag) => tagNames.includes(tag)),
      operationId,
    );
    const schemes = security.flatMap((each) => Object.keys(each));
    assert.ok(
      schemes.every((scheme) => scheme in components.securitySchemes),
      operationId,
    );
  }
  const references = JSON.stringify(paths).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g);
  for (const [, name = ''] of references) assert.ok(name in components.schemas, name);
});

test('every JSON answer of lookup has one media type and refers to a named schema', () => {
  const { paths } = openApi({ services: ['lookup'], language: 'ko' }) as Description;
  for (const [path, { get }] of Object.entries(paths)) {
    if (path.startsWith('/api/export')) continue;
    const content = get!.responses['200']!.content!;
    assert.deepEqual(Object.keys(content), ['application/json'], path);
    assert.match(
      JSON.stringify(content),
      /^\{"application\/json":\{"schema":\{"\$ref":"[^"]+Answer"\}\}\}$/,
    );
  }
});
