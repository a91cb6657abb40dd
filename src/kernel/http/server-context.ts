import { ByteCache } from '../byte-cache.ts';
import type { Log } from '../log.ts';
import { BodyFactsCache } from './body-facts.ts';
import type { CompressedBody } from './compression.ts';
import { limits } from './limits.ts';
import { createMetrics, type Metrics } from './metrics.ts';

/** Log, metrics and caches that all listeners of a process share. */
export interface ServerContext {
  readonly log: Log;
  readonly metrics: Metrics;
  /** Compressed bodies by entity tag and coding. */
  readonly compressed: ByteCache<CompressedBody>;
  readonly bodyFacts: BodyFactsCache;
}

export function createServerContext(log: Log): ServerContext {
  const compressed = new ByteCache<CompressedBody>(limits.compressedCacheBytesMax);
  const metrics = createMetrics();
  metrics.gauge(
    'maru_compressed_cache_bytes',
    'Bytes of compressed bodies in memory.',
    () => compressed.bytes,
  );
  return { log, metrics, compressed, bodyFacts: new BodyFactsCache() };
}
