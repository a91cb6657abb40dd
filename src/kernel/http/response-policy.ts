/** Headers that all responses of a resource share. */
export interface ResponsePolicy {
  /** Headers of a response without a body. A 304 has only these: others would replace the headers of the cached page. */
  readonly headers: Readonly<Record<string, string>>;
  /** `headers`, and the headers that protect a body. */
  readonly bodyHeaders: Readonly<Record<string, string>>;
  /** Headers of a preflight's response to an origin that may read. */
  readonly preflight: Readonly<Record<string, string>>;
  /** True if responses carry `Server-Timing`. */
  readonly hasServerTiming: boolean;
}

/** A JSON response may load nothing, and no page may frame it. */
const securityHeaders = {
  'Content-Security-Policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
} as const;

const openHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'Link, ETag, X-Request-Id, X-Total-Count, X-Maru-Snapshot, Maru-Warnings',
} as const;

/** Public data: any page may read the responses, and some headers of them. */
export const openPolicy: ResponsePolicy = {
  headers: openHeaders,
  bodyHeaders: { ...openHeaders, ...securityHeaders },
  preflight: {
    'Access-Control-Allow-Headers': 'Accept, Accept-Language, If-None-Match, Prefer, X-Request-Id',
    'Access-Control-Max-Age': '86400',
  },
  hasServerTiming: true,
};

/** Text for operators and machines: pages of other sites may not read it. */
export const closedPolicy: ResponsePolicy = {
  headers: {},
  bodyHeaders: securityHeaders,
  preflight: {},
  hasServerTiming: false,
};
