import { openAsBlob } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { sha256, signRequest, type Credentials } from './sign-request.ts';
import {
  isTemporaryFault,
  StoreFault,
  type ObjectBytes,
  type ObjectContent,
  type ObjectStore,
  type OpenOptions,
  type ReadOptions,
  type TaggedBytes,
  type WriteOptions,
} from './object-store.ts';

interface HttpStoreOptions {
  /** Address in messages, such as `s3://bucket/prefix`. */
  readonly name: string;
  /** Address of the objects, which ends with `/`. */
  readonly base: URL;
  /** Null sends requests without a signature, as public buckets and websites allow. */
  readonly credentials: Credentials | null;
  /** False for a website, to which nothing can be written. */
  readonly isBucket: boolean;
  readonly times?: StoreTimes;
}

/** Bounds of the time that a store may take. */
interface StoreTimes {
  /** Until the answer, and between two pieces of a body. */
  readonly silenceMs: number;
  /** Before the first retry; each later one waits twice as long. */
  readonly backoffMs: number;
}

const storeTimes: StoreTimes = { silenceMs: 30_000, backoffMs: 500 };

const triesMax = 5;
const backoffMsMax = 8_000;

/** Objects of a bucket with the API of S3, or of a website. */
export class HttpStore implements ObjectStore {
  readonly name: string;
  readonly #options: HttpStoreOptions;
  readonly #times: StoreTimes;

  constructor(options: HttpStoreOptions) {
    this.name = options.name;
    this.#options = options;
    this.#times = options.times ?? storeTimes;
  }

  async read(key: string, options: ReadOptions): Promise<TaggedBytes | 'unchanged' | null> {
    const { bytesMax, knownTag = null, signal } = options;
    const headers: Record<string, string> = knownTag === null ? {} : { 'if-none-match': knownTag };
    return this.#retry(signal, async () => {
      const response = await this.#request('GET', key, { headers, signal });
      if (response.status === 304) return discard(response, 'unchanged');
      if (response.status === 404) return discard(response, null);
      await this.#expect(response, [200], key);
      const pieces: Uint8Array[] = [];
      let bytes = 0;
      for await (const piece of response.body) {
        bytes += piece.length;
        if (bytes > bytesMax)
          throw this.#fault('unreadable', `${key} is larger than ${bytesMax} bytes`);
        pieces.push(piece);
      }
      const content = Buffer.concat(pieces);
      const tag = response.headers.get('etag') ?? `"${sha256(content)}"`;
      // Some servers and proxies answer no condition.
      return tag === knownTag ? 'unchanged' : { bytes: content, tag };
    });
  }

  async open(key: string, { from, signal }: OpenOptions): Promise<ObjectBytes | null> {
    const headers: Record<string, string> = from === 0 ? {} : { range: `bytes=${from}-` };
    return this.#retry(signal, async () => {
      const response = await this.#request('GET', key, { headers, signal });
      if (response.status === 404) return discard(response, null);
      // The object ends where the caller would go on.
      if (response.status === 416) return discard(response, { from, body: noBytes() });
      await this.#expect(response, [200, 206], key);
      return { from: response.status === 206 ? from : 0, body: response.body };
    });
  }

  async has(key: string, signal?: AbortSignal): Promise<boolean> {
    return this.#retry(signal, async () => {
      const response = await this.#request('HEAD', key, { signal });
      if (response.status === 404) return discard(response, false);
      await this.#expect(response, [200], key);
      return discard(response, true);
    });
  }

  async write(key: string, content: ObjectContent, { signal }: WriteOptions = {}): Promise<void> {
    await this.#retry(signal, async () => {
      const response = await this.#put(key, content, {}, signal);
      await this.#expect(response, written, key);
      await discard(response, null);
    });
  }

  async replace(
    key: string,
    bytes: Buffer,
    tag: string | null,
    signal?: AbortSignal,
  ): Promise<string | null> {
    const condition = tag === null ? { 'if-none-match': '*' } : { 'if-match': tag };
    let isRepeated = false;
    return this.#retry(signal, async () => {
      const wasSent = isRepeated;
      isRepeated = true;
      const response = await this.#put(key, { bytes }, condition, signal);
      // 409 is the answer of S3 to two conditional writes at once.
      if (response.status === 412 || response.status === 409) {
        await discard(response, null);
        return wasSent ? this.#ownTag(key, bytes, signal) : null;
      }
      await this.#expect(response, written, key);
      await discard(response, null);
      return response.headers.get('etag') ?? this.#ownTag(key, bytes, signal);
    });
  }

  async remove(key: string, signal?: AbortSignal): Promise<void> {
    await this.#retry(signal, async () => {
      const response = await this.#request('DELETE', key, { signal });
      if (response.status !== 404) await this.#expect(response, written, key);
      await discard(response, null);
    });
  }

  /** Tag of an object if its content is this: an earlier try may have written it although its answer was lost. */
  async #ownTag(key: string, bytes: Buffer, signal?: AbortSignal): Promise<string | null> {
    const stored = await this.read(key, { bytesMax: bytes.length + 1, signal }).catch(() => null);
    if (stored === null || stored === 'unchanged') return null;
    return stored.bytes.equals(bytes) ? stored.tag : null;
  }

  async #put(
    key: string,
    content: ObjectContent,
    headers: Readonly<Record<string, string>>,
    signal?: AbortSignal,
  ): Promise<StoreResponse> {
    if (!this.#options.isBucket) {
      throw this.#fault('refused', 'a website cannot be written to. Push to s3:// or to a folder');
    }
    return this.#request('PUT', key, {
      headers: { ...headers, 'cache-control': cacheControlOf(key) },
      body:
        'bytes' in content
          ? new Blob([new Uint8Array(content.bytes)])
          : await openAsBlob(content.path),
      bodySha256: 'bytes' in content ? sha256(content.bytes) : content.sha256,
      signal,
    });
  }

  async #request(
    method: string,
    key: string,
    { headers = {}, body, bodySha256 = emptySha256, signal }: RequestParts,
  ): Promise<StoreResponse> {
    const { base, credentials, isBucket } = this.#options;
    const url = new URL(key, base);
    const sent = { ...headers, 'accept-encoding': 'identity' };
    const silence = new Silence(this.#times.silenceMs, signal);
    // A body takes its time: a minute for each 10 MB comes on top of the silence.
    silence.restart(body === undefined ? 0 : body.size * uploadMsPerByte);
    let response;
    try {
      response = await fetch(url, {
        method,
        headers:
          credentials === null
            ? sent
            : signRequest({ method, url, headers: sent, bodySha256 }, credentials, new Date()),
        ...(body === undefined ? {} : { body }),
        // A signature is for one address, and must not reach another host.
        redirect: isBucket ? 'manual' : 'follow',
        signal: silence.signal,
      });
    } catch (error) {
      silence.end();
      throw this.#unanswered(error, key, signal);
    }
    return {
      status: response.status,
      headers: response.headers,
      body: this.#pieces(response, silence, key, signal),
    };
  }

  async *#pieces(
    response: Response,
    silence: Silence,
    key: string,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<Uint8Array> {
    const { silenceMs } = this.#times;
    const startedMs = performance.now();
    let received = 0;
    try {
      silence.restart();
      for await (const piece of response.body ?? noBytes()) {
        silence.restart();
        received += piece.length;
        if (performance.now() - startedMs > 2 * silenceMs + received * downloadMsPerByteMax) {
          throw this.#fault('slow', `${key} comes at less than 10 kB a second`);
        }
        yield piece;
      }
    } catch (error) {
      throw this.#unanswered(error, key, signal);
    } finally {
      silence.end();
    }
  }

  /** Throws the fault of an answer with another status, with the code that S3 names in its body. */
  async #expect(response: StoreResponse, statuses: readonly number[], key: string): Promise<void> {
    const { status } = response;
    if (statuses.includes(status)) return;
    const text = await startOf(response.body);
    const code = /<Code>(\w{1,60})<\/Code>/.exec(text)?.[1];
    const answer = `the answer to ${key} is ${status}${code === undefined ? '' : ` (${code})`}`;
    if (status === 401 || status === 403)
      throw this.#fault('refused', `${answer}. ${refusedAdvice}`);
    if (isTemporary(status)) throw this.#fault('unreachable', answer);
    throw this.#fault('failed', `${answer}. ${statusAdvice}`);
  }

  async #retry<T>(signal: AbortSignal | undefined, attempt: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await attempt();
      } catch (error) {
        if (!isTemporaryFault(error) || tries === triesMax) throw error;
        const backoffMs = Math.min(backoffMsMax, this.#times.backoffMs * 2 ** (tries - 1));
        // Half of it by chance, so that many followers do not come back at once.
        await wait(backoffMs * (0.5 + Math.random() / 2), undefined, { signal });
      }
    }
  }

  #unanswered(error: unknown, key: string, signal: AbortSignal | undefined): unknown {
    if (error instanceof StoreFault) return error;
    if (signal?.aborted) return signal.reason;
    if (error instanceof SilenceError) {
      const silence = `there was no answer to ${key} for ${this.#times.silenceMs / 1000} s`;
      return this.#fault('slow', silence);
    }
    // The cause of a failed `fetch` has the code; its message may have the address of a proxy with a password.
    const { code = 'no answer' } = ((error as Error).cause ?? {}) as { code?: string };
    return this.#fault('unreachable', `${key} cannot be reached (${code})`);
  }

  #fault(code: StoreFault['code'], text: string): StoreFault {
    return new StoreFault(code, this.#sentence(text));
  }

  #sentence(text: string): string {
    return `${this.name}: ${text}.`.replace(/\.\.$/, '.');
  }
}

interface RequestParts {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Blob;
  readonly bodySha256?: string;
  readonly signal?: AbortSignal | undefined;
}

interface StoreResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: AsyncIterable<Uint8Array>;
}

const refusedAdvice =
  'Check the key and its rights: followers need GetObject and ListBucket, pushers PutObject and DeleteObject too. ' +
  'Without ListBucket S3 refuses also what is not there';
const statusAdvice = 'Check the address, AWS_ENDPOINT_URL and AWS_REGION';
const emptySha256 = sha256('');
const downloadMsPerByteMax = 0.1;
const uploadMsPerByte = 60_000 / 10_000_000;

/** Statuses of a write that succeeded. */
const written = [200, 201, 204];

/** True for statuses that another try may not meet. */
function isTemporary(status: number): boolean {
  return status === 408 || status === 425 || status === 429 || status >= 500;
}

/** The pointer and the table of files change; all other objects are named by their content. */
function cacheControlOf(key: string): string {
  return key.includes('/') ? 'public, max-age=31536000, immutable' : 'no-cache';
}

/** The start of a body, in which S3 describes an error. */
async function startOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  for await (const piece of body) return Buffer.from(piece).toString('utf8', 0, 2_000);
  return '';
}

/** Ends a response whose body is not read, which frees its connection, and returns `result`. */
async function discard<Result>({ body }: StoreResponse, result: Result): Promise<Result> {
  await startOf(body);
  return result;
}

async function* noBytes(): AsyncGenerator<Uint8Array> {}

class SilenceError extends Error {}

/** Aborts a request when nothing is heard for a time, or with the caller's signal. */
class Silence {
  readonly signal: AbortSignal;
  readonly #controller = new AbortController();
  readonly #silenceMs: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(silenceMs: number, signal: AbortSignal | undefined) {
    this.#silenceMs = silenceMs;
    const own = this.#controller.signal;
    this.signal = signal === undefined ? own : AbortSignal.any([own, signal]);
  }

  restart(addedMs = 0): void {
    clearTimeout(this.#timer);
    const abort = (): void => this.#controller.abort(new SilenceError());
    this.#timer = setTimeout(abort, this.#silenceMs + addedMs).unref();
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}
