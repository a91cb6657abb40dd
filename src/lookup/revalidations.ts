import type { RequestContext } from '../kernel/http/request-context.ts';
import type { Content } from '../kernel/http/result.ts';

/**
 * Recent 304 responses by URL and headers, for one version of the data. A repeated revalidation then reads neither
 * its parameters nor the store, which halves its cost.
 */
export class Revalidations {
  readonly #version: () => string | null;
  readonly #responses = new Map<string, Content>();
  #responsesVersion: string | null = null;

  /** `version` returns the version of the current data; null while there is none. */
  constructor(version: () => string | null) {
    this.#version = version;
  }

  find(request: RequestContext): Content | null {
    const key = keyOf(request);
    if (key === null || this.#version() !== this.#responsesVersion) return null;
    return this.#responses.get(key) ?? null;
  }

  /** Stores a 304 for the current data. */
  store(request: RequestContext, content: Content): void {
    const key = keyOf(request);
    const version = this.#version();
    if (key === null || version === null) return;
    if (version !== this.#responsesVersion || this.#responses.size >= responsesMax)
      this.#responses.clear();
    this.#responsesVersion = version;
    this.#responses.set(key, content);
  }
}

const responsesMax = 4_096;
const urlLengthMax = 1_024;

/** All parts of a request that its answer depends on; null if it is not a conditional GET. */
function keyOf({ method, incoming }: RequestContext): string | null {
  const { url = '', headers } = incoming;
  const tags = headers['if-none-match'];
  if (tags === undefined || method !== 'GET' || url.length > urlLengthMax) return null;
  const { accept = '', 'accept-encoding': coding = '', prefer = '' } = headers;
  return `${url}\n${tags}\n${accept}\n${coding}\n${String(prefer)}`;
}
