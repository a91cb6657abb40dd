import { readFileSync } from 'node:fs';
import { respondDocument } from '../kernel/http/document.ts';
import type { ServerContext } from '../kernel/http/server-context.ts';
import { route, type App } from '../kernel/http/route.ts';

/**
 * Adds the client script: `/sdk.js`, fresh for five minutes, each version at an immutable address, and
 * `/sdk/integrity.json` with their hashes (SRI, sha384).
 */
export function addClientScript(app: App, front: ServerContext): void {
  const { version, integrity } = versions;
  serve(app, front, '/sdk.js', scriptOf(version), shortly);
  for (const each of Object.keys(integrity)) {
    serve(app, front, `/sdk/${each}/sdk.js`, scriptOf(each), forGood);
  }
  const files = Object.entries(integrity).map(([each, hash]) => ({
    version: each,
    path: `/sdk/${each}/sdk.js`,
    integrity: hash,
  }));
  const list = { body: Buffer.from(JSON.stringify({ version, files })), type: json };
  serve(app, front, '/sdk/integrity.json', list, shortly);
}

interface File {
  readonly body: Buffer;
  readonly type: string;
}

function serve(
  app: App,
  front: ServerContext,
  path: string,
  file: File,
  cacheControl: string,
): void {
  const content = { ...file, headers: { 'Cross-Origin-Resource-Policy': 'cross-origin' } };
  route(app, front, path, (request) => respondDocument(front, request, content, { cacheControl }));
}

function scriptOf(version: string): File {
  const body = readFileSync(new URL(`./sdk/sdk-${version}.js`, import.meta.url));
  return { body, type: 'text/javascript; charset=utf-8' };
}

/** Written by `npm run generate`, which keeps the previous versions. */
const versions = JSON.parse(
  readFileSync(new URL('./sdk/integrity.json', import.meta.url), 'utf8'),
) as { readonly version: string; readonly integrity: Readonly<Record<string, string>> };

const json = 'application/json; charset=utf-8';
const shortly = 'public, max-age=300, stale-while-revalidate=86400';
const forGood = 'public, max-age=31536000, immutable';
