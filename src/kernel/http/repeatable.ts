import { PieceMeter, type BodyFacts } from './body-facts.ts';
import { compressPieces } from './compression.ts';
import { entityTag } from './entity-tag.ts';
import { codingFor, type Coding } from './preferences.ts';
import type { RequestContext } from './request-context.ts';
import type { FileContent, RepeatableBody, Stream } from './result.ts';

/**
 * Makes a file of a repeatable body, with its length and digest. A long body is streamed the first time and measured as
 * it is sent, because a client would wait too long for the first byte.
 */
export async function fileOf(
  request: RequestContext,
  body: RepeatableBody,
): Promise<FileContent | Stream> {
  const { bodyFacts } = request.server;
  const coding = codingOf(request, body);
  const key = `${body.validity!.tag}-${coding}`;
  const codedMs = coding === null ? body.expectedMs : body.expectedMs * codingCost;
  // A response to HEAD consists of the facts, so it waits for them.
  const isLong = codedMs > waitMsMax && request.method !== 'HEAD';
  const cachedFacts = bodyFacts.get(key);
  const isAbandoned = (): boolean => request.outgoing.destroyed;
  const write = (): AsyncIterable<Uint8Array> => codedPieces(body, coding);
  try {
    const facts = cachedFacts ?? (isLong ? null : await bodyFacts.write(key, write, isAbandoned));
    return facts === null
      ? {
          ...body,
          coding,
          pieces: measureAndStore(write(), (newFacts) => bodyFacts.store(key, newFacts)),
        }
      : {
          ...body,
          coding,
          ...facts,
          read: (start, end) => readPart(body, coding, facts, start, end),
        };
  } catch (error) {
    body.release?.();
    throw error;
  }
}

/** Limit on the expected time of writing a body before its first byte is sent. */
const waitMsMax = 4_000;
/** Factor of compression on the expected time: compressing takes half as long as writing. */
const codingCost = 1.5;

/** The coding that the client prefers. For a range, none, unless the range continues a body in that coding. */
function codingOf(
  request: RequestContext,
  { isCompressible, validity }: RepeatableBody,
): Coding | null {
  const coding = isCompressible === true ? codingFor(request.header('accept-encoding')) : null;
  if (coding === null || request.header('range') === null) return coding;
  return request.header('if-range') === entityTag(validity!.tag, coding) ? coding : null;
}

function codedPieces(body: RepeatableBody, coding: Coding | null): AsyncIterable<Uint8Array> {
  return coding === null ? body.write(0) : compressPieces(body.write(0), coding);
}

async function* measureAndStore(
  pieces: AsyncIterable<Uint8Array>,
  store: (facts: BodyFacts) => void,
): AsyncGenerator<Uint8Array, void> {
  const meter = new PieceMeter(pieces);
  yield* meter;
  store(meter.facts());
}

/** Reads the bytes `start` to `end - 1` of a body, which is written from the piece with `start` if it is seekable. */
async function* readPart(
  body: RepeatableBody,
  coding: Coding | null,
  { starts }: BodyFacts,
  start: number,
  end: number,
): AsyncGenerator<Uint8Array, void> {
  if (start === end) return;
  const isDirect = coding === null && body.isSeekable;
  const first = isDirect ? starts.findLastIndex((at) => at <= start) : 0;
  let position = starts[first]!;
  for await (const piece of isDirect ? body.write(first) : codedPieces(body, coding)) {
    const from = Math.max(0, start - position);
    const to = Math.min(piece.length, end - position);
    if (from < to) yield piece.subarray(from, to);
    position += piece.length;
    if (position >= end) return;
  }
}
