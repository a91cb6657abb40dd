import { Problem } from '../problem.ts';
import { limits } from './limits.ts';
import type { RequestContext } from './request-context.ts';

export interface JsonBodyOptions {
  readonly bytesMax?: number | undefined;
  /** Properties whose content the handler checks itself, at any level. */
  readonly unchecked?: readonly string[] | undefined;
}

/**
 * The object a request carries as JSON: bounded while it arrives, UTF-8, no deeper than `limits.bodyDepthMax`,
 * without `__proto__`. 400 `malformed_json`, 413, 415.
 */
export async function readJsonBody(
  request: RequestContext,
  { bytesMax = limits.bodyBytesMax, unchecked = [] }: JsonBodyOptions = {},
): Promise<Readonly<Record<string, unknown>>> {
  if (!isJson(request)) throw unsupported();
  const bytes = await readBytes(request, bytesMax);
  const value = parse(bytes);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw noObject();
  refuseUnsafe(value, limits.bodyDepthMax, unchecked);
  // An object that is no array, by the line above.
  return value as Readonly<Record<string, unknown>>;
}

/** True if a request declares plain JSON: not compressed, not in another charset. */
export function isJson(request: RequestContext): boolean {
  const coding = request.header('content-encoding');
  if (coding !== null && coding !== 'identity') return false;
  return jsonTypes.test(request.header('content-type') ?? '');
}

const jsonTypes = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?;?$/i;

/** The whole body, refused as soon as it is known to be more than `bytesMax`. */
export async function readBytes(request: RequestContext, bytesMax: number): Promise<Buffer> {
  if (Number(request.header('content-length') ?? 0) > bytesMax) throw tooLarge(bytesMax);
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of request.body ?? []) {
      length += chunk.length;
      if (length > bytesMax) throw tooLarge(bytesMax);
      chunks.push(chunk);
    }
  } catch (cause) {
    throw cause instanceof Problem ? cause : broken(cause);
  }
  return chunks.length === 1 ? Buffer.from(chunks[0]!) : Buffer.concat(chunks);
}

const decoder = new TextDecoder('utf-8', { fatal: true });

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch (cause) {
    const detail = {
      ko: '본문이 UTF-8로 쓴 JSON이 아닙니다.',
      en: 'The body is not JSON in UTF-8.',
    };
    throw new Problem('malformed_json', detail, { cause });
  }
}

function refuseUnsafe(value: object, depth: number, unchecked: readonly string[]): void {
  if (depth === 0) throw tooDeep();
  for (const name of Object.keys(value)) {
    if (name === '__proto__') throw prototype();
    if (unchecked.includes(name)) continue;
    // Own properties of a value that JSON.parse made.
    const inner = (value as Record<string, unknown>)[name];
    if (typeof inner === 'object' && inner !== null) refuseUnsafe(inner, depth - 1, unchecked);
  }
}

function unsupported(): Problem {
  return new Problem('unsupported_media_type', {
    ko: 'Content-Type: application/json으로, 압축하지 않고 보내세요.',
    en: 'Send it as Content-Type: application/json, not compressed.',
  });
}

function tooLarge(bytesMax: number): Problem {
  const detail = {
    ko: `본문은 ${bytesMax}바이트까지 보낼 수 있습니다.`,
    en: `A body may be up to ${bytesMax} bytes.`,
  };
  // The rest of the body is not read, so the connection cannot carry another request.
  return new Problem('body_too_large', detail, { headers: { Connection: 'close' } });
}

function broken(cause: unknown): Problem {
  const detail = { ko: '본문이 끝까지 오지 않았습니다.', en: 'The body did not arrive whole.' };
  return new Problem('bad_request', detail, { cause });
}

function noObject(): Problem {
  return new Problem('malformed_json', {
    ko: '본문은 { }로 된 JSON 객체여야 합니다.',
    en: 'The body must be a JSON object, in braces.',
  });
}

function tooDeep(): Problem {
  return new Problem('malformed_json', {
    ko: `본문은 ${limits.bodyDepthMax}단계까지만 겹칠 수 있습니다.`,
    en: `A body may be nested ${limits.bodyDepthMax} levels deep.`,
  });
}

function prototype(): Problem {
  return new Problem('malformed_json', {
    ko: '본문에 __proto__를 쓸 수 없습니다.',
    en: 'A body may not hold __proto__.',
  });
}
