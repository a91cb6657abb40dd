import { membersAddress, type MemberCall } from './member-calls.ts';

/**
 * A call of the members service in several languages, with the values of the environment. A test runs them. Pages send
 * cookies that no program has, so that their calls are shown for curl alone.
 */
export function memberSamples(
  call: MemberCall,
): readonly { readonly id: string; readonly name: string; readonly code: string }[] {
  const shell = { id: 'curl', name: 'curl', code: curl(call) };
  if (call.caller === 'page') return [shell];
  return [
    shell,
    { id: 'python', name: 'Python', code: python(call) },
    { id: 'javascript', name: 'JavaScript', code: javascript(call) },
    { id: 'php', name: 'PHP', code: php(call) },
  ];
}

function curl({ method, address, caller, body }: MemberCall): string {
  // With a body curl sends POST, without one GET.
  const verb = method === (body === null ? 'GET' : 'POST') ? '' : ` -X ${method}`;
  const credentials = caller === 'server' ? `-H "x-api-key: $KEY"` : pageHeaders(method);
  const lines = [`curl${verb} "${address}"`, credentials];
  if (body !== null) {
    // The shell fills in variables between double quotes.
    const escaped = JSON.stringify(body).replaceAll('"', '\\"');
    lines.push(`-H 'content-type: application/json'`, `-d "${escaped}"`);
  }
  return lines.join(' \\\n  ');
}

/** Headers of a page: its cookie, its origin, and the header that a form of another site cannot set. */
function pageHeaders(method: MemberCall['method']): string {
  const cookie = `-b "svc_sso=$TOKEN"`;
  if (method === 'GET') return cookie;
  return `${cookie} -H 'origin: ${membersAddress}' -H 'x-svc-client: curl'`;
}

function python({ method, address, body }: MemberCall): string {
  const url = `"${address.replace(variable, `" + os.environ["$1"] + "`)}"`.replace(/ \+ ""$/, '');
  const key = `"x-api-key": os.environ["KEY"]`;
  const headers = body === null ? [key] : [key, `"content-type": "application/json"`];
  return [
    'import json, os',
    'from urllib.request import Request, urlopen',
    '',
    'request = Request(',
    `    ${url},`,
    `    method="${method}",`,
    `    headers={${headers.join(', ')}},`,
    ...(body === null
      ? []
      : [`    data=json.dumps(${literal(body, pythonSyntax, '    ')}).encode(),`]),
    ')',
    'with urlopen(request) as answer:',
    '    print(json.load(answer))',
  ].join('\n');
}

function javascript({ method, address, body }: MemberCall): string {
  const url = address.replace(variable, '${env.$1}');
  const headers = [`'x-api-key': env.KEY`];
  if (body !== null) headers.push(`'content-type': 'application/json'`);
  return [
    `import { env } from 'node:process';`,
    '',
    `const answer = await fetch(${url === address ? `'${url}'` : `\`${url}\``}, {`,
    `  method: '${method}',`,
    `  headers: { ${headers.join(', ')} },`,
    ...(body === null ? [] : [`  body: JSON.stringify(${literal(body, javascriptSyntax, '  ')}),`]),
    '});',
    'const found = await answer.json();',
  ].join('\n');
}

function php({ method, address, body }: MemberCall): string {
  const url = `'${address.replace(variable, `' . getenv('$1') . '`)}'`.replace(/ \. ''$/, '');
  const headers = [`'x-api-key: ' . getenv('KEY')`];
  if (body !== null) headers.push(`'content-type: application/json'`);
  return [
    '<?php',
    `$context = stream_context_create(['http' => [`,
    `    'method' => '${method}',`,
    `    'header' => [${headers.join(', ')}],`,
    ...(body === null
      ? []
      : [`    'content' => json_encode(${literal(body, phpSyntax, '    ')}),`]),
    ']]);',
    `$answer = file_get_contents(${url}, false, $context);`,
    'print_r(json_decode($answer, true));',
  ].join('\n');
}

/** A variable in a text of a call. */
const variable = /\$([A-Z_]+)/;

interface Syntax {
  readonly step: string;
  readonly variable: (name: string) => string;
  readonly text: (text: string) => string;
  readonly key: (name: string) => string;
  /** Opening and closing of an object on one line, and an object without members. */
  readonly object: readonly [open: string, close: string, empty: string];
}

const pythonSyntax: Syntax = {
  step: '    ',
  variable: (name) => `os.environ["${name}"]`,
  text: (text) => `"${text}"`,
  key: (name) => `"${name}": `,
  object: ['{', '}', '{}'],
};

const javascriptSyntax: Syntax = {
  step: '  ',
  variable: (name) => `env.${name}`,
  text: (text) => `'${text}'`,
  key: (name) => `${name}: `,
  object: ['{ ', ' }', '{}'],
};

const phpSyntax: Syntax = {
  step: '    ',
  variable: (name) => `getenv('${name}')`,
  text: (text) => `'${text}'`,
  key: (name) => `'${name}' => `,
  object: ['[', ']', 'new stdClass()'],
};

/** A body of texts, lists and objects as a language writes it; a long one has a member a line. */
function literal(value: unknown, syntax: Syntax, indent: string): string {
  if (typeof value === 'string') {
    const [whole, name] = variable.exec(value) ?? [];
    return whole === value ? syntax.variable(name!) : syntax.text(value);
  }
  const inner = indent + syntax.step;
  const isList = Array.isArray(value);
  const members = isList
    ? value.map((item) => literal(item, syntax, inner))
    : Object.entries(value as object).map(
        ([name, item]) => syntax.key(name) + literal(item, syntax, inner),
      );
  const [open, close, empty] = isList ? (['[', ']', '[]'] as const) : syntax.object;
  if (members.length === 0) return empty;
  const line = open + members.join(', ') + close;
  if (line.length <= lineLengthMax && !line.includes('\n')) return line;
  return `${open.trim()}\n${members.map((each) => `${inner}${each},\n`).join('')}${indent}${close.trim()}`;
}

/** A longer line would scroll on most screens. */
const lineLengthMax = 64;
