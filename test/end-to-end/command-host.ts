import { programFor } from '../../bin/program.ts';
import { runCommand } from '../../bin/run-command.ts';
import type { CommandLine, Ran } from './run-maru.ts';

/**
 * Runs command lines one after another in this process, since a start takes longer than most commands. Each arrives as
 * a message; another one returns its exit code and output. The process ends with the program that started it.
 */
let last = Promise.resolve();
process.on('message', (line: CommandLine) => {
  last = last.then(async () => void process.send!(await run(line)));
});
process.on('disconnect', () => process.exit());
// Each command adds a listener for the errors of its output.
process.stdout.setMaxListeners(0);

const ownFolder = process.cwd();

async function run({ words, environment, folder = ownFolder }: CommandLine): Promise<Ran> {
  const ran = { status: 0, output: '', errors: '' };
  process.stdout.write = (text) => {
    ran.output += String(text);
    return true;
  };
  process.stderr.write = (text) => {
    ran.errors += String(text);
    return true;
  };
  process.env = environment;
  process.chdir(folder);
  await runCommand(await programFor(words), [process.execPath, 'maru', ...words]);
  return { ...ran, status: takeExitCode() };
}

/** The exit code that the command has set; the next command starts without one. */
function takeExitCode(): number {
  const code = Number(process.exitCode ?? 0);
  process.exitCode = undefined;
  return code;
}
