import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Metrics } from './metrics.ts';
import type { Log } from '../log.ts';
import { limits } from '../settings.ts';
import { requestIdFor } from './request-context.ts';

/**
 * Questions that were answered 304, so that the same question with the same tag is answered again without
 * being read: equal words, equal headers and equal data give an equal answer. It costs half of what finding
 * out anew does.
 */
export class Revalidation {
  readonly #known = new Map<string, Known>();
  #version: () => string | null = () => null;

  /** Says where the version of the data answers are made from is asked; null while there is none. */
  follow(version: () => string | null): void {
    this.#version = version;
  }

  /** Remembers a 304 that holds for as long as the data has this version. */
  remember(incoming: IncomingMessage, known: Known): void {
    const key = keyOf(incoming);
    if (key === null) return;
    if (this.#known.size >= limits.revalidationsMax) this.#known.clear();
    this.#known.set(key, known);
  }

  /** Answers a request that is known; false for one that has to be read. */
  answer(incoming: IncomingMessage, outgoing: ServerResponse, log: Log, metrics: Metrics): boolean {
    const key = keyOf(incoming);
    const known = key === null ? undefined : this.#known.get(key);
    if (known === undefined || known.version !== this.#version()) return false;
    const startedAt = performance.now();
    const requestId = requestIdFor(incoming.headers['x-request-id']?.toString());
    outgoing.writeHead(304, {
      ...known.headers,
      'X-Request-Id': requestId,
      'Server-Timing': `total;dur=${(performance.now() - startedAt).toFixed(2)}`,
    });
    outgoing.end();
    const milliseconds = performance.now() - startedAt;
    metrics.record(known.route, 304, milliseconds, 0);
    if (log.writes('info')) {
      const ms = Math.round(milliseconds * 1000) / 1000;
      log.info('request', {
        method: 'GET',
        path: known.path,
        status: 304,
        ms,
        bytes: 0,
        id: requestId,
      });
    }
    return true;
  }
}

interface Known {
  readonly version: string;
  readonly route: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Everything of a request that its answer depends on; null for one that asks nothing again. */
function keyOf({ method, url = '', headers }: IncomingMessage): string | null {
  const held = headers['if-none-match'];
  if (held === undefined || method !== 'GET' || url.length > limits.revalidationUrlLengthMax)
    return null;
  return `${url}\n${held}\n${headers.accept ?? ''}\n${headers['accept-encoding'] ?? ''}\n${headers.prefer?.toString() ?? ''}`;
}
