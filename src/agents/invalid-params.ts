import { isObject } from '../kernel/json-object.ts';

/**
 * Names invalid parameters in an answer by their paths, as -32602 (JSON-RPC 2.0, 5.1). The protocol's library reports
 * some as -32603, and all as the issues of its checker. Other answers are null.
 */
export function nameInvalidParams(answer: string): string | null {
  const line = /^(?:data: )?(?=\{.*"error":\{"code":-3260[23],)/m.exec(answer);
  if (line === null) return null;
  const start = line.index + line[0].length;
  const end = answer.indexOf('\n', start);
  const json = answer.slice(start, end < 0 ? undefined : end);
  const message = readJson(json);
  const error = isObject(message) ? message['error'] : null;
  const faults = isObject(error) ? faultsOf(String(error['message'])) : [];
  if (!isObject(message) || faults.length === 0) return null;
  const text = `Invalid parameters: ${faults.slice(0, faultsMax).join('; ')}.`;
  const named = { ...message, error: { code: -32_602, message: text } };
  return answer.slice(0, start) + JSON.stringify(named) + answer.slice(start + json.length);
}

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
