import { ByteCache } from '../byte-cache.ts';
import type { Log } from '../log.ts';
import { limits } from '../settings.ts';
import type { RequestContext } from './request-context.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { Revalidation } from './revalidation.ts';

/** What all routes of one server share. */
export interface ServerContext {
  readonly log: Log;
  readonly metrics: Metrics;
  /** Compressed bodies by entity tag, with the headers that belong to them. */
  readonly compressed: ByteCache<ReadyBody>;
  /** Questions whose answer the client had already. */
  readonly revalidation: Revalidation;
}

export interface ReadyBody {
  readonly body: Buffer;
  readonly type: string;
  readonly headers: Readonly<Record<string, string>>;
}

export function createServerContext(log: Log): ServerContext {
  const front = {
    log,
    metrics: createMetrics(),
    compressed: new ByteCache<ReadyBody>(limits.compressedCacheBytesMax),
    revalidation: new Revalidation(),
  };
  front.metrics.gauge(
    'maru_compressed_cache_bytes',
    'Bytes of compressed bodies kept ready.',
    () => front.compressed.bytes,
  );
  return front;
}

/** Counts and logs an answer. The query stays out of the log: what people search for is theirs. */
export function note(
  front: ServerContext,
  request: RequestContext,
  status: number,
  bytes: number,
): void {
  const milliseconds = request.milliseconds;
  front.metrics.record(request.route, status, milliseconds, bytes);
  if (!front.log.writes('info')) return;
  front.log.info('request', {
    method: request.method,
    path: request.shownPath,
    status,
    ms: Math.round(milliseconds * 1000) / 1000,
    bytes,
    id: request.requestId,
  });
}
