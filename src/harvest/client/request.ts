import type { ServiceKey } from './service-key.ts';

/** Request to an upstream, without the service key: safe to log. */
export interface UpstreamRequest {
  /** Host and path without a scheme, as `apis.data.go.kr/1360000/…/getWthrWrnList`: the operation. */
  readonly path: string;
  /** Service of the operation: the path without the operation, or the host. Operations of a service fail together. */
  readonly service: string;
  /** Place of the service key; null if the operation needs none. */
  readonly key: KeyPlace | null;
  readonly parameters: Readonly<Record<string, string>>;
  /** Most requests of the operation a day; null if they are not counted. */
  readonly dailyQuota: number | null;
  /** The dataset's number on the portal, for advice; null if it has none. */
  readonly portalId: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent with POST; the method is GET without it. */
  readonly body?: string;
}

/** Agencies spell the parameter `serviceKey` or `ServiceKey`; `api.odcloud.kr` also takes a header. */
type KeyPlace = { readonly in: 'query'; readonly name: string } | { readonly in: 'header' };

/** Key of a request: equal requests have equal keys, whatever the order of their parameters. */
export function requestKey(request: Pick<UpstreamRequest, 'path' | 'parameters'>): string {
  const query = Object.keys(request.parameters)
    .sort()
    .map((name) => `${name}=${encodeURIComponent(request.parameters[name] ?? '')}`)
    .join('&');
  return query === '' ? request.path : `${request.path}?${query}`;
}

/** Address without a scheme, `host/path?query`; safe to show if `key` is null. */
export function addressOf(request: UpstreamRequest, key: ServiceKey | null): string {
  const pairs = Object.entries(request.parameters).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
  );
  if (key !== null && request.key?.in === 'query') {
    pairs.unshift(`${request.key.name}=${key.encoded}`);
  }
  return pairs.length === 0 ? request.path : `${request.path}?${pairs.join('&')}`;
}

/** Joins the headers of the upstream, of the request and of the service key. */
export function headersOf(
  request: UpstreamRequest,
  key: ServiceKey | null,
  upstreamHeaders: Readonly<Record<string, string>>,
): Record<string, string> {
  return {
    // Requests without a `User-Agent` can be blocked.
    'User-Agent': 'Maru/1.0 (open data collector)',
    'Accept-Encoding': 'gzip',
    ...upstreamHeaders,
    ...request.headers,
    ...(key !== null && request.key?.in === 'header'
      ? { Authorization: `Infuser ${key.plain}` }
      : {}),
  };
}
