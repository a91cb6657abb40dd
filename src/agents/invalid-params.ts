import { isObject } from '../kernel/json-object.ts';

/**
 * Names invalid parameters in a message by their paths, as -32602 (JSON-RPC 2.0, 5.1). The protocol's library reports
 * some as -32603, and all as the issues of its checker. Other messages stay as they are.
 */
export function withNamedFaults<Message>(message: Message): Message {
  const error = isObject(message) ? message['error'] : null;
  if (!isObject(error) || !invalidCodes.has(error['code'])) return message;
  const faults = faultsOf(String(error['message']));
  if (faults.length === 0) return message;
  const text = `Invalid parameters: ${faults.slice(0, faultsMax).join('; ')}.`;
  return { ...message, error: { code: -32_602, message: text } };
}

/** The same for an answer over HTTP, which is JSON or one event with it; null if nothing changes. */
export function nameInvalidParams(answer: string): string | null {
  const line = /^(?:data: )?(?=\{.*"error":\{)/m.exec(answer);
  if (line === null) return null;
  const start = line.index + line[0].length;
  const end = answer.indexOf('\n', start);
  const json = answer.slice(start, end < 0 ? undefined : end);
  const message = readJson(json);
  const named = withNamedFaults(message);
  if (named === message) return null;
  return answer.slice(0, start) + JSON.stringify(named) + answer.slice(start + json.length);
}

const invalidCodes: ReadonlySet<unknown> = new Set([-32_602, -32_603]);
const faultsMax = 16;

/** Path and sentence of each issue in a message, such as `protocolVersion: Invalid input: expected string`. */
function faultsOf(message: string): string[] {
  const start = message.indexOf('[\n');
  const issues = start < 0 ? null : readJson(message.slice(start));
  if (!Array.isArray(issues)) return [];
  return issues.filter(isObject).flatMap(({ path, message: sentence }) => {
    const [first, ...rest] = Array.isArray(path) ? path.map(String) : [];
    return first === 'params' ? [`${rest.join('.') || first}: ${String(sentence)}`] : [];
  });
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
