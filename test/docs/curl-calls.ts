import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';

/** A curl command of a document, which Node sends in place of curl. */
export interface CurlCall {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** Redirects that it follows at most. */
  readonly redirectsMax: number;
  /** The file that its answer is written to. */
  readonly file: string | null;
  /** Fails at an answer of 400 or above. */
  readonly fails: boolean;
  readonly prints: 'content' | 'headers' | 'headers and content';
  /** The file of the cookies that it sends. */
  readonly sentCookies: string | null;
  /** The file that it writes the cookies of its answer to. */
  readonly storedCookies: string | null;
}

export type Variables = Readonly<Record<string, string | undefined>>;

/** Cookies by the name of their file. */
export type CookieFiles = Map<string, string>;

export interface CurlAnswer {
  readonly status: number;
  /** Output of curl. */
  readonly text: string;
}

/** Sends a call and returns what curl would print. The call's files are in `folder`. */
export async function sendCurlCall(
  call: CurlCall,
  folder: string,
  cookieFiles: CookieFiles = new Map(),
): Promise<CurlAnswer> {
  const { method, body, sentCookies, storedCookies } = call;
  const cookie = cookieFiles.get(sentCookies ?? '');
  const headers = cookie === undefined ? call.headers : { ...call.headers, cookie };
  let url = call.url;
  let response = await responseOf(url, method, headers, body);
  for (let redirects = 0; redirects < call.redirectsMax; redirects++) {
    if (![301, 302, 307, 308].includes(response.statusCode!)) break;
    response.resume();
    url = new URL(response.headers.location!, url);
    response = await responseOf(url, method, headers, body);
  }
  const content = await buffer(response);
  const status = response.statusCode!;
  if (call.fails) assert.ok(status < 400, `${status} for ${url.href}: ${content.toString()}`);
  const stored = response.headersDistinct['set-cookie'] ?? [];
  if (storedCookies !== null) {
    cookieFiles.set(storedCookies, stored.map((each) => each.split(';')[0]!).join('; '));
  }
  if (call.file !== null) writeFileSync(resolve(folder, call.file), content);
  const fields = response.rawHeaders.map((text, at) => (at % 2 === 0 ? `${text}: ` : `${text}\n`));
  const text = {
    content: call.file === null ? content.toString() : '',
    headers: fields.join(''),
    'headers and content': `${fields.join('')}\n${content.toString()}`,
  }[call.prints];
  return { status, text };
}

async function responseOf(
  url: URL,
  method: string,
  headers: CurlCall['headers'],
  body: string | null,
): Promise<IncomingMessage> {
  const sent = request(url, { method, headers: { 'user-agent': 'curl/8.5.0', ...headers } });
  sent.end(body ?? undefined);
  // The event has only the response.
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return response;
}

/** Reads all calls of curl in a shell text, except those with an unknown variable. */
export function curlCallsIn(text: string, variables: Variables): readonly CurlCall[] {
  return Array.from(text.matchAll(/(?<![\w'"./-])curl(?= )/g), ({ index }) =>
    readCommand(text, index, variables),
  )
    .filter(({ unknownNames }) => unknownNames.length === 0)
    .map(({ words }) => curlCallOf(words));
}

export interface ShellCommand {
  readonly words: readonly string[];
  /** Variables and substitutions that have no value. */
  readonly unknownNames: readonly string[];
  /** Position of its end: the end of a line or of the text, or an operator such as `|`. */
  readonly end: number;
}

/** Reads the simple command that begins at a place of a shell text. */
export function readCommand(text: string, start: number, variables: Variables): ShellCommand {
  const words: string[] = [];
  const unknownNames: string[] = [];
  let word: string | null = null;
  const valueOf = (name: string): string => {
    if (variables[name] === undefined) unknownNames.push(name);
    return variables[name] ?? '';
  };
  commandTokens.lastIndex = start;
  let end = start;
  for (let token; (token = commandTokens.exec(text)) !== null; end = commandTokens.lastIndex) {
    const { blank, single, double, variable, plain } = token.groups!;
    if (blank !== undefined) {
      if (word !== null) words.push(word);
      word = null;
      continue;
    }
    word ??= '';
    if (single !== undefined) word += single;
    else if (double !== undefined) word += expand(double, valueOf);
    else if (variable !== undefined) word += valueOf(variable);
    else word += plain!;
  }
  if (word !== null) words.push(word);
  return { words, unknownNames, end };
}

/** Blanks and parts of words; a line may go on after a backslash. */
const commandTokens =
  /(?<blank>(?:[ \t]|\\\n)+)|'(?<single>[^']*)'|"(?<double>(?:[^"\\]|\\[^])*)"|\$\{?(?<variable>[A-Za-z_]\w*)\}?|(?<plain>[^\s'"\\$|&;<>()`#]+)/y;

/** Expands a text between double quotes: a backslash quotes, and `$` begins a variable or a substitution. */
function expand(text: string, valueOf: (name: string) => string): string {
  return text.replace(
    /\\(["\\$`])|\\\n|\$\{?([A-Za-z_]\w*)\}?|(\$\([^)]*\))/g,
    (_, quoted?: string, name?: string, substitution?: string) =>
      quoted ??
      (name === undefined && substitution === undefined ? '' : valueOf((name ?? substitution)!)),
  );
}

/** Reads the words of a curl command. An option that is not listed here is an error, since Node would not send it. */
export function curlCallOf([program, ...words]: readonly string[]): CurlCall {
  assert.equal(program, 'curl');
  const options: [name: string, value: string][] = [];
  const addresses: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    const names = word.startsWith('--')
      ? [word]
      : word.startsWith('-')
        ? word.slice(1).split('')
        : [];
    if (names.length === 0) addresses.push(word);
    for (const name of names) {
      if (flags.has(name)) options.push([name, '']);
      else if (optionsWithValue.has(name)) options.push([name, words[++at]!]);
      else assert.fail(`curl ${name} is not among the options of test/docs/curl-calls.ts.`);
    }
  }
  assert.equal(addresses.length, 1, `one address: ${words.join(' ')}`);
  // curl sends an address as it is written; a blank would end it.
  assert.doesNotMatch(addresses[0]!, /\s/);
  return callOf(new URL(addresses[0]!), options);
}

const flags = new Set(['s', 'S', 'L', 'f', 'G', 'I', 'i', 'O', '--fail-with-body']);
const optionsWithValue = new Set([
  'X',
  'H',
  'd',
  'o',
  'D',
  'b',
  'c',
  'C',
  '--data-urlencode',
  '--max-time',
]);

function callOf(url: URL, options: readonly [name: string, value: string][]): CurlCall {
  const has = (name: string): boolean => options.some(([each]) => each === name);
  const all = (name: string): string[] =>
    options.filter(([each]) => each === name).map(([, value]) => value);
  const [body = null] = all('d');
  const form = body === null ? {} : { 'content-type': 'application/x-www-form-urlencoded' };
  const headers: Record<string, string> = form;
  for (const line of all('H')) {
    const [, name, value] = /^([\w-]+): *(.*)$/.exec(line)!;
    headers[name!.toLowerCase()] = value!;
  }
  for (const pair of all('--data-urlencode')) {
    assert.ok(has('G'), '--data-urlencode goes into the address');
    const [, name, value] = /^(\w+)=([^]*)$/.exec(pair)!;
    url.search += `${url.search === '' ? '' : '&'}${name}=${encodeURIComponent(value!)}`;
  }
  const [cookies = null] = all('b');
  const isCookie = cookies?.includes('=') === true;
  return {
    url,
    method: all('X')[0] ?? (has('I') ? 'HEAD' : body === null ? 'GET' : 'POST'),
    headers: isCookie ? { ...headers, cookie: cookies } : headers,
    body,
    redirectsMax: has('L') ? 5 : 0,
    file: has('O') ? url.pathname.split('/').at(-1)! : (all('o')[0] ?? null),
    fails: has('f') || has('--fail-with-body'),
    prints: has('I') ? 'headers' : has('i') ? 'headers and content' : 'content',
    sentCookies: isCookie ? null : cookies,
    storedCookies: all('c')[0] ?? null,
  };
}
