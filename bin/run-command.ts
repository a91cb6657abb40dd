import { CommanderError, type Command } from 'commander';
import { fileErrorSentence } from '../src/kernel/file-error.ts';
import { SettingsError, UnsafeSettingsError } from '../src/kernel/settings.ts';
import { StopError } from './stop-signal.ts';

/** Runs a command line and sets the exit code: 0 done, 1 failed, 2 wrong use, 78 unsafe settings, 130 and 143 stopped. */
export async function runCommand(program: Command, argv: readonly string[]): Promise<void> {
  throwInsteadOfExit(program);
  // A reader such as `head` may close the pipe early, which is not a failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  try {
    await program.parseAsync([...argv]);
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? 0 : 2;
    } else if (error instanceof SettingsError) {
      process.stderr.write(`${error.message}\n`);
      process.exitCode = 2;
    } else if (error instanceof UnsafeSettingsError) {
      process.stderr.write(`${error.message}\n`);
      // EX_CONFIG of sysexits.h, after which a supervisor need not restart the process.
      process.exitCode = 78;
    } else {
      process.stderr.write(`${messageOf(error)}\n`);
      process.exitCode = error instanceof StopError ? error.exitCode : 1;
    }
  }
}

/** Sets exit code 1; the caller has printed the reason. */
export function markFailed(): void {
  process.exitCode = 1;
}

function throwInsteadOfExit(command: Command): void {
  command.exitOverride();
  for (const sub of command.commands) throwInsteadOfExit(sub);
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (process.env['NODE_DEBUG'] !== undefined) return error.stack ?? error.message;
  return fileErrorSentence(error) ?? error.message;
}
