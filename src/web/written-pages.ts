import { ByteCache } from '../kernel/byte-cache.ts';
import type { Document } from '../kernel/http/result.ts';

/** Caches the rendered pages of a snapshot; a new snapshot empties it. */
export class WrittenPages {
  #version: string | null = null;
  #pages = new ByteCache<Document>(bytesMax);

  async page(
    version: string | null,
    key: string,
    write: () => Promise<Document>,
  ): Promise<Document> {
    this.#enter(version);
    const cached = this.#pages.get(key);
    if (cached !== undefined) return cached;
    const content = await write();
    // The snapshot may have changed during rendering.
    if (version === this.#version) this.#pages.set(key, content, content.body.length);
    return content;
  }

  #enter(version: string | null): void {
    if (version === this.#version) return;
    this.#version = version;
    this.#pages = new ByteCache<Document>(bytesMax);
  }
}

/** Both languages of every page for a handful of addresses. */
const bytesMax = 16 * 1_024 * 1_024;
