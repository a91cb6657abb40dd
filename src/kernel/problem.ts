/** A refusal or failure that a caller is meant to read: the one error class that crosses the HTTP border. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly errors: readonly ProblemError[];
  readonly headers: Readonly<Record<string, string>>;
  readonly extra: Readonly<Record<string, unknown>>;

  constructor(code: ProblemCode, detail: BilingualText, options: ProblemOptions = {}) {
    super(detail.en, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'Problem';
    this.code = code;
    this.detail = detail;
    this.errors = options.errors ?? [];
    this.headers = options.headers ?? {};
    this.extra = options.extra ?? {};
  }

  readonly detail: BilingualText;

  get status(): number {
    return problemTable[this.code].status;
  }
}

/** The same sentence in both languages of the service. */
export interface BilingualText {
  readonly ko: string;
  readonly en: string;
}

/** One parameter at fault, as RFC 9457 extensions carry it. */
export interface ProblemError {
  readonly parameter: string;
  readonly reason: BilingualText;
  readonly value?: string;
  readonly allowed?: readonly string[] | string;
}

export interface ProblemOptions {
  readonly errors?: readonly ProblemError[];
  readonly headers?: Readonly<Record<string, string>>;
  /** Members added to the problem body, such as `suggestions`. */
  readonly extra?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** Every code a caller can meet, with its status and title: the closed list the contract documents. */
export const problemTable = {
  missing_parameter: { status: 400, ko: '필수 매개변수가 없습니다', en: 'Missing parameter' },
  invalid_parameter: { status: 400, ko: '매개변수가 올바르지 않습니다', en: 'Invalid parameter' },
  unknown_axis: { status: 400, ko: '없는 축입니다', en: 'Unknown axis' },
  bad_request: { status: 400, ko: '요청을 읽을 수 없습니다', en: 'Malformed request' },
  malformed_json: { status: 400, ko: 'JSON을 읽을 수 없습니다', en: 'Malformed JSON' },
  not_found: { status: 404, ko: '찾을 수 없습니다', en: 'Not found' },
  method_not_allowed: { status: 405, ko: '허용되지 않는 메서드입니다', en: 'Method not allowed' },
  request_timeout: { status: 408, ko: '요청이 제때 끝나지 않았습니다', en: 'Request timeout' },
  body_too_large: { status: 413, ko: '본문이 너무 큽니다', en: 'Body too large' },
  uri_too_long: { status: 414, ko: '주소가 너무 깁니다', en: 'URI too long' },
  unsupported_media_type: { status: 415, ko: 'JSON만 받습니다', en: 'Unsupported media type' },
  headers_too_large: {
    status: 431,
    ko: '요청 헤더가 너무 큽니다',
    en: 'Request headers too large',
  },
  no_snapshot: { status: 503, ko: '아직 준비된 데이터가 없습니다', en: 'No snapshot yet' },
  internal: { status: 500, ko: '서버 내부 오류입니다', en: 'Internal error' },
} as const satisfies Record<string, BilingualText & { readonly status: number }>;

export type ProblemCode = keyof typeof problemTable;
