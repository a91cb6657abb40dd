import { curlCallOf, readCommand, type CurlCall, type Variables } from './curl-calls.ts';

/** A part of a shell sample that Node runs: a command line of Maru, a call of curl, or a file that it writes. */
export type ShellPart =
  | { readonly words: readonly string[]; readonly settings: Readonly<Record<string, string>> }
  | { readonly call: CurlCall }
  | { readonly file: string; readonly text: string };

/** Parts of a shell sample in their order. A line that only a shell can run is an error. */
export function shellParts(
  sample: string,
  program: string,
  variables: Variables,
): readonly ShellPart[] {
  const parts: ShellPart[] = [];
  const command = new RegExp(`^(?:([A-Z_]+)='([^']*)' )?(?=(?:curl|${RegExp.escape(program)}) )`);
  for (let at = 0; at < sample.length; at++) {
    const [line] = /^.*/.exec(sample.slice(at))!;
    const [prefix, name, value] = command.exec(line) ?? [];
    const fileWrite = /^printf '([^'%]*)' > (\S+)$/.exec(line);
    if (prefix !== undefined) {
      const { words, unknownNames, end } = readCommand(sample, at + prefix.length, variables);
      if (!/^ *(?:#.*)?(?:\n|$)/.test(sample.slice(end)) || unknownNames.length > 0)
        throw shellNeeded(line);
      const settings = name === undefined ? {} : { [name]: value! };
      parts.push(
        words[0] === 'curl' ? { call: curlCallOf(words) } : { words: words.slice(1), settings },
      );
      at = sample.indexOf('\n', end) === -1 ? sample.length : sample.indexOf('\n', end);
      continue;
    }
    if (fileWrite !== null) {
      parts.push({ file: fileWrite[2]!, text: fileWrite[1]!.replaceAll('\\n', '\n') });
    } else if (!/^(?:export [A-Z_]+=\S*|#.*|\s*)$/.test(line)) throw shellNeeded(line);
    at += line.length;
  }
  return parts;
}

function shellNeeded(line: string): Error {
  return new Error(`Only a shell runs this line, so the row of its sample needs 'bash': ${line}`);
}
