import { ByteCache } from '../kernel/byte-cache.ts';
import type { Document } from '../kernel/http/result.ts';

/** Rendered pages of the current snapshot; a new snapshot empties the cache. */
export class PageCache {
  #version: string | null = null;
  #pages = new ByteCache<Document>(bytesMax);

  async page(
    version: string | null,
    key: string,
    render: () => Promise<Document>,
  ): Promise<Document> {
    this.#setVersion(version);
    const cached = this.#pages.get(key);
    if (cached !== undefined) return cached;
    const content = await render();
    // The snapshot may have changed during rendering.
    if (version === this.#version) this.#pages.set(key, content, content.body.length);
    return content;
  }

  #setVersion(version: string | null): void {
    if (version === this.#version) return;
    this.#version = version;
    this.#pages = new ByteCache<Document>(bytesMax);
  }
}

/** Room for every page in both languages, for a few addresses of the service. */
const bytesMax = 16 * 1_024 * 1_024;
