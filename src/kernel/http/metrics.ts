/** Counts of requests by route, in memory. */
export interface Metrics {
  record(route: string, status: number, milliseconds: number, bytes: number): void;
  /** Adds a value that is computed when the metrics are read. */
  gauge(name: string, help: string, read: () => number): void;
  /** The metrics in the text format of Prometheus. */
  text(): string;
}

export function createMetrics(): Metrics {
  const routes = new Map<string, RouteCount>();
  const gauges = new Map<string, { help: string; read: () => number }>();
  return {
    record(route, status, milliseconds, bytes) {
      let count = routes.get(route);
      if (count === undefined) routes.set(route, (count = newCount()));
      count.statuses.set(status, (count.statuses.get(status) ?? 0) + 1);
      count.seconds += milliseconds / 1000;
      count.bytes += bytes;
      let bucket = 0;
      while (bucket < bounds.length && milliseconds > bounds[bucket]! * 1000) bucket++;
      count.buckets[bucket]!++;
    },
    gauge(name, help, read) {
      gauges.set(name, { help, read });
    },
    text: () => `${requestLines(routes)}${durationLines(routes)}${gaugeLines(gauges)}`,
  };
}

/** Upper bounds of the buckets, in seconds. */
const bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5] as const;

interface RouteCount {
  readonly statuses: Map<number, number>;
  readonly buckets: number[];
  seconds: number;
  bytes: number;
}

function newCount(): RouteCount {
  const buckets = Array.from<number>({ length: bounds.length + 1 }).fill(0);
  return { statuses: new Map(), buckets, seconds: 0, bytes: 0 };
}

function requestLines(routes: ReadonlyMap<string, RouteCount>): string {
  let text = '# HELP maru_http_requests_total Requests answered.\n';
  text += '# TYPE maru_http_requests_total counter\n';
  for (const [route, { statuses }] of routes) {
    for (const [status, count] of statuses) {
      text += `maru_http_requests_total{route="${route}",status="${status}"} ${count}\n`;
    }
  }
  text += '# HELP maru_http_response_bytes_total Bytes of bodies sent.\n';
  text += '# TYPE maru_http_response_bytes_total counter\n';
  for (const [route, { bytes }] of routes) {
    text += `maru_http_response_bytes_total{route="${route}"} ${bytes}\n`;
  }
  return text;
}

function durationLines(routes: ReadonlyMap<string, RouteCount>): string {
  const name = 'maru_http_request_duration_seconds';
  let text = `# HELP ${name} Time until the answer was ready.\n# TYPE ${name} histogram\n`;
  for (const [route, { buckets, seconds }] of routes) {
    let below = 0;
    for (const [index, count] of buckets.entries()) {
      below += count;
      const bound = bounds[index] ?? '+Inf';
      text += `${name}_bucket{route="${route}",le="${bound}"} ${below}\n`;
    }
    text += `${name}_sum{route="${route}"} ${seconds}\n${name}_count{route="${route}"} ${below}\n`;
  }
  return text;
}

function gaugeLines(gauges: ReadonlyMap<string, { help: string; read: () => number }>): string {
  let text = '';
  for (const [name, { help, read }] of gauges) {
    text += `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${name} ${read()}\n`;
  }
  return text;
}
