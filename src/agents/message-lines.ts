import { deserializeMessage } from '@modelcontextprotocol/server';
import { isObject } from '../kernel/json-object.ts';
import { limits } from '../kernel/http/limits.ts';

/** A JSON-RPC error in answer to a line that is not a message. */
interface LineRefusal {
  readonly jsonrpc: '2.0';
  readonly id: string | number | null;
  readonly error: { readonly code: number; readonly message: string };
}

/** A line with a message. `requestId` is null for notifications and responses. */
interface MessageLine {
  readonly line: Buffer;
  readonly requestId: unknown;
}

/** Yields the lines that are JSON-RPC messages, and calls `refuse` for each other line (JSON-RPC 2.0, 5.1). */
export async function* messageLines(
  input: AsyncIterable<Buffer>,
  refuse: (refusal: LineRefusal) => void,
): AsyncGenerator<MessageLine, void> {
  for await (const line of boundedLines(input)) {
    if (line?.trim() === '') continue;
    const read = line === null ? refusalOf(null, -32_600, tooLong) : readLine(line);
    if ('error' in read) refuse(read);
    else yield read;
  }
}

const tooLong = `The message is longer than ${limits.bodyBytesMax} bytes.`;

/** Yields the lines of an input; null for a line longer than the limit. */
async function* boundedLines(input: AsyncIterable<Buffer>): AsyncGenerator<string | null, void> {
  let parts: Buffer[] = [];
  let length = 0;
  for await (const chunk of input) {
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, start)) {
      length += end - start;
      const isLong = length > limits.bodyBytesMax;
      yield isLong ? null : Buffer.concat([...parts, chunk.subarray(start, end)]).toString();
      [parts, length, start] = [[], 0, end + 1];
    }
    length += chunk.length - start;
    if (length > limits.bodyBytesMax) parts = [];
    else parts.push(chunk.subarray(start));
  }
  if (length > 0) yield length > limits.bodyBytesMax ? null : Buffer.concat(parts).toString();
}

const lineFeed = 0x0a;

function readLine(line: string): MessageLine | LineRefusal {
  try {
    const message = deserializeMessage(line);
    const requestId = 'method' in message && 'id' in message ? message.id : null;
    return { line: Buffer.from(`${line}\n`), requestId };
  } catch (error) {
    if (error instanceof SyntaxError) return refusalOf(null, -32_700, 'The line is not JSON.');
    const value: unknown = JSON.parse(line);
    return Array.isArray(value)
      ? refusalOf(null, -32_600, 'Batches are not supported. Send one message per line.')
      : refusalOf(value, -32_600, 'The line is not a JSON-RPC 2.0 message.');
  }
}

function refusalOf(message: unknown, code: number, text: string): LineRefusal {
  const id = isObject(message) ? message['id'] : null;
  const isId = typeof id === 'string' || typeof id === 'number';
  return { jsonrpc: '2.0', id: isId ? id : null, error: { code, message: text } };
}
