/** One call of one operation, without the key: safe to write down. */
export interface PortalRequest {
  /** Host and path without a scheme, as `apis.data.go.kr/1360000/…/getWthrWrnList`: the operation. */
  readonly path: string;
  /** What fails together and is registered for together; the path without the operation. */
  readonly service: string;
  /** Where the key goes; null where none is asked for. */
  readonly key: KeyPlace | null;
  readonly parameters: Readonly<Record<string, string>>;
  /** Calls of the operation a day. */
  readonly dailyQuota: number;
  /** The dataset's number on the portal, for advice; null where there is none. */
  readonly portalId: string | null;
}

/** Agencies spell the parameter `serviceKey` or `ServiceKey`; `api.odcloud.kr` also takes a header. */
export type KeyPlace = { readonly in: 'query'; readonly name: string } | { readonly in: 'header' };

/** The same text for the same question, whatever the order of its parameters. */
export function requestKey(request: Pick<PortalRequest, 'path' | 'parameters'>): string {
  const query = Object.keys(request.parameters)
    .sort()
    .map((name) => `${name}=${encodeURIComponent(request.parameters[name] ?? '')}`)
    .join('&');
  return query === '' ? request.path : `${request.path}?${query}`;
}
