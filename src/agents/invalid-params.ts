import { isObject } from '../kernel/json-object.ts';

/**
 * Describes invalid parameters in an error message by their paths, with code -32602 (JSON-RPC 2.0, 5.1). The MCP library
 * reports some with -32603, and all as the JSON issues of its validator. Other messages stay unchanged.
 */
export function withInvalidParamPaths<Message>(message: Message): Message {
  const error = isObject(message) ? message['error'] : null;
  if (!isObject(error) || !invalidCodes.has(error['code'])) return message;
  const faults = faultsOf(String(error['message']));
  if (faults.length === 0) return message;
  const text = `Invalid parameters: ${faults.slice(0, faultsMax).join('; ')}.`;
  return { ...message, error: { code: -32_602, message: text } };
}

/** Does the same for an HTTP answer, either JSON or one server-sent event with JSON; null if nothing changes. */
export function describeInvalidParams(answer: string): string | null {
  const line = /^(?:data: )?(?=\{.*"error":\{)/m.exec(answer);
  if (line === null) return null;
  const start = line.index + line[0].length;
  const end = answer.indexOf('\n', start);
  const json = answer.slice(start, end < 0 ? undefined : end);
  const message = readJson(json);
  const described = withInvalidParamPaths(message);
  if (described === message) return null;
  return answer.slice(0, start) + JSON.stringify(described) + answer.slice(start + json.length);
}

const invalidCodes: ReadonlySet<unknown> = new Set([-32_602, -32_603]);
const faultsMax = 16;

/** Path and description of each issue in an error message, such as `protocolVersion: Invalid input: expected string`. */
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
