import { readFileSync } from 'node:fs';
import { cacheable } from '../kernel/http/conditional.ts';
import type { Document } from '../kernel/http/result.ts';
import type { Router } from '../kernel/http/router.ts';

/**
 * Adds the client script: `/sdk.js`, fresh for five minutes, each version at an immutable address, and
 * `/sdk/integrity.json` with their hashes (SRI, sha384).
 */
export function addClientScript(router: Router): void {
  const { version, integrity } = versions;
  serve(router, '/sdk.js', scriptOf(version), fiveMinutes);
  for (const each of Object.keys(integrity)) {
    serve(router, `/sdk/${each}/sdk.js`, scriptOf(each), immutable);
  }
  const files = Object.entries(integrity).map(([each, hash]) => ({
    version: each,
    path: `/sdk/${each}/sdk.js`,
    integrity: hash,
  }));
  const list = { body: Buffer.from(JSON.stringify({ version, files })), type: json };
  serve(router, '/sdk/integrity.json', list, fiveMinutes);
}

function serve(router: Router, path: string, file: Document, cacheControl: string): void {
  const headers = { 'Cross-Origin-Resource-Policy': 'cross-origin' };
  router.get(path, () => cacheable({ ...file, headers }, { cacheControl }));
}

function scriptOf(version: string): Document {
  const body = readFileSync(new URL(`./sdk/sdk-${version}.js`, import.meta.url));
  return { body, type: 'text/javascript; charset=utf-8' };
}

/** The list of versions, to which `npm run generate` adds. */
const versions = JSON.parse(
  readFileSync(new URL('./sdk/integrity.json', import.meta.url), 'utf8'),
) as { readonly version: string; readonly integrity: Readonly<Record<string, string>> };

const json = 'application/json; charset=utf-8';
const fiveMinutes = 'public, max-age=300, stale-while-revalidate=86400';
const immutable = 'public, max-age=31536000, immutable';
