import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { cacheable } from '../../kernel/http/conditional.ts';
import type { Router } from '../../kernel/http/router.ts';

/** Serves the pictures of pages that documents show. */
export function addPictures(router: Router): void {
  for (const name of pictures) {
    const body = readFileSync(new URL(name, folder));
    router.get(`/docs/pictures/${name}`, () => cacheable({ body, type: 'image/webp' }));
  }
}

/** Address of a picture; null for any other file. */
export function pictureAddress(path: string): string | null {
  const name = posix.basename(path);
  return posix.dirname(path) === 'docs/pictures' && pictures.includes(name)
    ? `/docs/pictures/${name}`
    : null;
}

/** Size of every picture, in pixels (`test/browser/screenshots.ts`). */
export const pictureSize = { width: 1280, height: 960 };

const folder = new URL('../../../docs/pictures/', import.meta.url);
const pictures = readdirSync(folder).filter((name) => name.endsWith('.webp'));
