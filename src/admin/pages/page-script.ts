import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** A script of the operator's pages. Its path contains its hash, so browsers may cache it forever. */
export interface PageScript {
  readonly path: string;
  readonly body: Buffer;
}

/** Reads the script `NAME.js` of this folder. */
export function pageScript(name: string): PageScript {
  const body = readFileSync(new URL(`${name}.js`, import.meta.url));
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 12);
  return { path: `/assets/${name}-${hash}.js`, body };
}
