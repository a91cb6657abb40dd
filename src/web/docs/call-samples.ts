/** A call of the lookup service in several languages. A test runs the samples of every example of the contract. */
export function callSamples(
  target: string,
): readonly { readonly id: string; readonly name: string; readonly code: string }[] {
  const { pathname, searchParams } = new URL(target, lookupAddress);
  const call: Call = {
    address: lookupAddress + decodeURIComponent(pathname),
    parameters: [...searchParams],
    file: fileOf(pathname, searchParams),
  };
  const curl = `curl -L '${lookupAddress}${target.replaceAll(' ', '+')}'`;
  return [
    { id: 'curl', name: 'curl', code: call.file === null ? curl : `${curl} -o ${call.file}` },
    { id: 'python', name: 'Python', code: python(call) },
    { id: 'javascript', name: 'JavaScript', code: javascript(call) },
    { id: 'r', name: 'R', code: r(call, target) },
  ];
}

/** Address of the lookup service in documents, which the site replaces by its own. */
export const lookupAddress = 'http://127.0.0.1:3000';

interface Call {
  readonly address: string;
  readonly parameters: readonly (readonly [string, string])[];
  /** Name of the file that the answer becomes; null for JSON that is read at once. */
  readonly file: string | null;
}

function fileOf(path: string, parameters: URLSearchParams): string | null {
  const ending = parameters.get('format') ?? /^\/api\/export\/.*?(\w+)$/.exec(path)?.[1];
  return ending === undefined || !/^(?:csv|ndjson|xlsx|parquet|geojson)$/.test(ending)
    ? null
    : `data.${ending}`;
}

function python({ address, parameters, file }: Call): string {
  const query = parameters.map(([name, value]) => `${quoted(name)}: ${quoted(value)}`).join(', ');
  const url = parameters.length === 0 ? quoted(address) : `f"${address}?{query}"`;
  return [
    ...(file === null ? ['import json'] : []),
    ...(parameters.length === 0 ? [] : ['from urllib.parse import urlencode']),
    'from urllib.request import urlopen',
    '',
    ...(parameters.length === 0 ? [] : [`query = urlencode({${query}})`]),
    `with urlopen(${url}) as answer:`,
    file === null
      ? '    print(json.load(answer))'
      : `    open("${file}", "wb").write(answer.read())`,
  ].join('\n');
}

function javascript({ address, parameters, file }: Call): string {
  const query = parameters
    .map(([name, value]) => `${/^\w+$/.test(name) ? name : quoted(name)}: ${quoted(value)}`)
    .join(', ');
  const url = parameters.length === 0 ? quoted(address) : `\`${address}?\${query}\``;
  return [
    ...(file === null ? [] : [`import { writeFile } from 'node:fs/promises';`, '']),
    ...(parameters.length === 0 ? [] : [`const query = new URLSearchParams({ ${query} });`]),
    `const answer = await fetch(${url});`,
    file === null
      ? 'const found = await answer.json();'
      : `await writeFile('${file}', Buffer.from(await answer.arrayBuffer()));`,
  ].join('\n');
}

function r({ file }: Call, target: string): string {
  const url = `URLencode(${quoted(lookupAddress + target)})`;
  return file === null
    ? `library(jsonlite)\n\nanswer <- fromJSON(${url})\nstr(answer, max.level = 1)`
    : `download.file(${url}, "${file}", mode = "wb")`;
}

/** A text as Python, JavaScript and R write it, which is the form of JSON. */
function quoted(text: string): string {
  return JSON.stringify(text);
}
