/** A part of a shell sample: a command line of Maru, or the script between two. */
export type ShellPart =
  | { readonly script: string }
  | { readonly words: readonly string[]; readonly settings: Readonly<Record<string, string>> };

/** Parts of a shell sample in their order. A line that the shell has to expand stays in a script. */
export function shellParts(sample: string, program: string): readonly ShellPart[] {
  const parts: ShellPart[] = [];
  let script = '';
  const endScript = () => {
    if (script.trim() !== '') parts.push({ script });
    script = '';
  };
  const commandLine = new RegExp(
    `^(?:(\\w+)='([^']*)' )?${RegExp.escape(program)} ([^'"$\`*?~|<>&;()\\\\#]+)$`,
  );
  for (const line of sample.split('\n')) {
    const [, name, value, words] = commandLine.exec(line) ?? [];
    if (words === undefined) {
      script += `${line}\n`;
      continue;
    }
    endScript();
    const settings = name === undefined ? {} : { [name]: value! };
    parts.push({ words: words.trim().split(/ +/), settings });
  }
  endScript();
  return parts;
}
