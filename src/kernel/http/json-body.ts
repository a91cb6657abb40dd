import { Problem } from '../problem.ts';
import { limits } from './limits.ts';
import type { RequestContext } from './request-context.ts';

export interface JsonBodyOptions {
  readonly bytesMax?: number | undefined;
  /** Names of properties, at any level, whose content only the handler checks. */
  readonly uncheckedNames?: readonly string[] | undefined;
}

/**
 * Reads the JSON object of a request, bounded while it arrives. Throws 415 for another type, 413 for a large body,
 * and 400 `malformed_json` for bad UTF-8, nesting beyond `limits.bodyDepthMax` or `__proto__`.
 */
export async function readJsonBody(
  request: RequestContext,
  { bytesMax = limits.bodyBytesMax, uncheckedNames = [] }: JsonBodyOptions = {},
): Promise<Readonly<Record<string, unknown>>> {
  if (!isJson(request)) throw unsupportedType();
  const read = readBytes(request, bytesMax);
  const value = parse(read instanceof Promise ? await read : read);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw notAnObject();
  refuseUnsafe(value, limits.bodyDepthMax, uncheckedNames);
  // Only an object passes the checks above.
  return value as Readonly<Record<string, unknown>>;
}

/** True if a request declares uncompressed JSON in UTF-8. */
export function isJson(request: RequestContext): boolean {
  const coding = request.header('content-encoding');
  if (coding !== null && coding !== 'identity') return false;
  return jsonTypes.test(request.header('content-type') ?? '');
}

const jsonTypes = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?;?$/i;

/** Reads the whole body; refuses it as soon as it exceeds `bytesMax`. */
export function readBytes(request: RequestContext, bytesMax: number): Buffer | Promise<Buffer> {
  if (Number(request.header('content-length') ?? 0) > bytesMax) throw tooLarge(bytesMax);
  const { incoming } = request;
  // Most bodies arrive with the headers: reading one piece by piece costs a tenth of a small request.
  if (incoming.complete && incoming.readableLength > 0 && incoming.readableLength <= bytesMax) {
    // Without an encoding, a stream of bytes returns all of them.
    return incoming.read() as Buffer;
  }
  return readPieces(request, bytesMax);
}

async function readPieces(request: RequestContext, bytesMax: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of request.body) {
      length += chunk.length;
      if (length > bytesMax) throw tooLarge(bytesMax);
      chunks.push(chunk);
    }
  } catch (cause) {
    throw cause instanceof Problem ? cause : incompleteBody(cause);
  }
  return chunks.length === 1 ? Buffer.from(chunks[0]!) : Buffer.concat(chunks);
}

const decoder = new TextDecoder('utf-8', { fatal: true });

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch (cause) {
    const detail = {
      ko: '본문이 올바른 JSON이 아닙니다. UTF-8로 쓴 JSON을 보내세요.',
      en: 'The body is not valid JSON. Send JSON in UTF-8.',
    };
    throw new Problem('malformed_json', detail, { cause });
  }
}

function refuseUnsafe(value: object, depth: number, uncheckedNames: readonly string[]): void {
  if (depth === 0) throw tooDeep();
  for (const name of Object.keys(value)) {
    if (name === '__proto__') throw forbiddenPrototype();
    if (uncheckedNames.includes(name)) continue;
    // A parsed JSON value has string keys only.
    const inner = (value as Record<string, unknown>)[name];
    if (typeof inner === 'object' && inner !== null) refuseUnsafe(inner, depth - 1, uncheckedNames);
  }
}

function unsupportedType(): Problem {
  return new Problem('unsupported_media_type', {
    ko: '본문을 Content-Type: application/json으로, 압축하지 않고 보내세요.',
    en: 'Send the body as Content-Type: application/json, not compressed.',
  });
}

function tooLarge(bytesMax: number): Problem {
  const detail = {
    ko: `본문은 ${bytesMax}바이트까지 보낼 수 있습니다. 줄이거나 나누어 보내세요.`,
    en: `A body may have up to ${bytesMax} bytes. Shorten it or split it.`,
  };
  // The rest of the body is not read, so the connection cannot carry another request.
  return new Problem('body_too_large', detail, { headers: { Connection: 'close' } });
}

function incompleteBody(cause: unknown): Problem {
  const detail = {
    ko: '본문이 끝까지 도착하지 않았습니다. 다시 보내 주세요.',
    en: 'The connection broke before the end of the body. Send the request again.',
  };
  return new Problem('bad_request', detail, { cause });
}

function notAnObject(): Problem {
  return new Problem('malformed_json', {
    ko: '본문이 JSON 객체가 아닙니다. { }로 감싼 객체를 보내세요.',
    en: 'The body is not a JSON object. Send one, in braces.',
  });
}

function tooDeep(): Problem {
  return new Problem('malformed_json', {
    ko: `본문은 ${limits.bodyDepthMax}단계까지만 중첩할 수 있습니다. 구조를 더 얕게 바꾸세요.`,
    en: `A body may be nested up to ${limits.bodyDepthMax} levels deep. Flatten it.`,
  });
}

function forbiddenPrototype(): Problem {
  return new Problem('malformed_json', {
    ko: '본문에 __proto__라는 이름은 쓸 수 없습니다. 빼고 보내세요.',
    en: 'A body may not have a property named __proto__. Remove it.',
  });
}
