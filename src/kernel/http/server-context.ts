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
  /** The text of the metrics, of all processes if several serve one port. */
  readonly metricsText: () => string | Promise<string>;
  /** Compressed bodies by entity tag and coding. */
  readonly compressed: ByteCache<CompressedBody>;
  readonly bodyFacts: BodyFactsCache;
}

interface ContextOptions {
  /** Replaces the text of the metrics of this process. */
  readonly metricsText?: () => string | Promise<string>;
}

export function createServerContext(log: Log, options: ContextOptions = {}): ServerContext {
  const compressed = new ByteCache<CompressedBody>(limits.compressedCacheBytesMax);
  const metrics = createMetrics();
  metrics.gauge(
    'maru_compressed_cache_bytes',
    'Bytes of compressed bodies in memory.',
    () => compressed.bytes,
  );
  const { metricsText = () => metrics.text() } = options;
  return { log, metrics, metricsText, compressed, bodyFacts: new BodyFactsCache() };
}
