import type { ServiceKey } from './service-key.ts';

/** Request of an upstream's operation, without its key: safe to log. */
export interface UpstreamRequest {
  /** Host and path without a scheme, as `apis.data.go.kr/1360000/…/getWthrWrnList`: the operation. */
  readonly path: string;
  /** Operations that fail together: the path without the operation, or the host. */
  readonly service: string;
  /** Place of the service key; null where the operation needs none. */
  readonly key: KeyPlace | null;
  readonly parameters: Readonly<Record<string, string>>;
  /** Requests of the operation a day; null where they are not counted. */
  readonly dailyQuota: number | null;
  /** The dataset's number on the portal, for advice; null where there is none. */
  readonly portalId: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent with POST; the method is GET without it. */
  readonly body?: string;
}

/** Agencies spell the parameter `serviceKey` or `ServiceKey`; `api.odcloud.kr` also takes a header. */
type KeyPlace = { readonly in: 'query'; readonly name: string } | { readonly in: 'header' };

/** The same text for equal requests, whatever the order of their parameters. */
export function requestKey(request: Pick<UpstreamRequest, 'path' | 'parameters'>): string {
  const query = Object.keys(request.parameters)
    .sort()
    .map((name) => `${name}=${encodeURIComponent(request.parameters[name] ?? '')}`)
    .join('&');
  return query === '' ? request.path : `${request.path}?${query}`;
}

/** `host/path?query`; safe to show without a key. */
export function addressOf(request: UpstreamRequest, key: ServiceKey | null): string {
  const pairs = Object.entries(request.parameters).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
  );
  if (key !== null && request.key?.in === 'query') {
    pairs.unshift(`${request.key.name}=${key.encoded}`);
  }
  return pairs.length === 0 ? request.path : `${request.path}?${pairs.join('&')}`;
}

/** Headers of a request: those of its upstream, its own, and the key. */
export function headersOf(
  request: UpstreamRequest,
  key: ServiceKey | null,
  ofUpstream: Readonly<Record<string, string>>,
): Record<string, string> {
  return {
    // Requests without a `User-Agent` can be blocked.
    'User-Agent': 'Maru/1.0 (open data collector)',
    'Accept-Encoding': 'gzip',
    ...ofUpstream,
    ...request.headers,
    ...(key !== null && request.key?.in === 'header'
      ? { Authorization: `Infuser ${key.plain}` }
      : {}),
  };
}
