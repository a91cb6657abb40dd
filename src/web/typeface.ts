import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { cacheable } from '../kernel/http/conditional.ts';
import { tagOfBytes } from '../kernel/http/entity-tag.ts';
import type { FileContent } from '../kernel/http/result.ts';
import type { Router } from '../kernel/http/router.ts';

/** Adds the typeface of the pages in pieces, of which a browser requests those with the letters of its page. */
export function addTypeface(router: Router): void {
  const styles = { body: fileBytes('pretendard.css'), type: 'text/css; charset=utf-8' };
  router.get('/assets/pretendard.css', () =>
    cacheable(styles, { cacheControl: 'public, max-age=86400' }),
  );
  const [, version] = /url\((pretendard-[\d.]+)\//.exec(styles.body.toString())!;
  const pieces = new Map<string, FileContent>();
  router.get(`/assets/${version}/{piece}`, ({ path }) => {
    const name = path.slice(path.lastIndexOf('/') + 1);
    let piece = pieces.get(name);
    if (piece === undefined) {
      if (!names.has(name)) throw router.notFound(path);
      pieces.set(name, (piece = pieceOf(name)));
    }
    return piece;
  });
}

/** A piece of the font, which is compressed already. */
function pieceOf(name: string): FileContent {
  const bytes = fileBytes(name);
  return {
    type: 'font/woff2',
    headers: {},
    length: bytes.length,
    sha256: hash('sha256', bytes),
    async *read(start, end) {
      yield bytes.subarray(start, end);
    },
    validity: {
      tag: tagOfBytes(bytes),
      lastModified: null,
      isDaily: false,
      // The address has the version of the typeface.
      cacheControl: 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
    },
  };
}

const folder = new URL('./assets/pretendard/', import.meta.url);
const names = new Set(readdirSync(folder).filter((name) => name.endsWith('.woff2')));

function fileBytes(name: string): Buffer {
  return readFileSync(new URL(name, folder));
}
