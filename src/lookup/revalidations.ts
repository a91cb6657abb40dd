import type { RequestContext } from '../kernel/http/request-context.ts';
import type { Content } from '../kernel/http/result.ts';

/**
 * Recent 304 responses by URL and headers, for one version of the data: a repeated revalidation needs neither its
 * parameters nor the store, which costs half as much.
 */
export class Revalidations {
  readonly #version: () => string | null;
  readonly #known = new Map<string, Content>();
  #knownVersion: string | null = null;

  /** `version` names the current data; null while there is none. */
  constructor(version: () => string | null) {
    this.#version = version;
  }

  find(request: RequestContext): Content | null {
    const key = keyOf(request);
    if (key === null || this.#version() !== this.#knownVersion) return null;
    return this.#known.get(key) ?? null;
  }

  /** Stores a 304 for the data of this moment. */
  store(request: RequestContext, content: Content): void {
    const key = keyOf(request);
    const version = this.#version();
    if (key === null || version === null) return;
    if (version !== this.#knownVersion || this.#known.size >= responsesMax) this.#known.clear();
    this.#knownVersion = version;
    this.#known.set(key, content);
  }
}

const responsesMax = 4_096;
const urlLengthMax = 1_024;

/** Every part of a request on which its answer depends; null for one that is not conditional. */
function keyOf({ method, incoming }: RequestContext): string | null {
  const { url = '', headers } = incoming;
  const tags = headers['if-none-match'];
  if (tags === undefined || method !== 'GET' || url.length > urlLengthMax) return null;
  const { accept = '', 'accept-encoding': coding = '', prefer = '' } = headers;
  return `${url}\n${tags}\n${accept}\n${coding}\n${String(prefer)}`;
}
