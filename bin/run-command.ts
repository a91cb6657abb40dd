import { CommanderError, type Command } from 'commander';
import { SettingsError } from '../src/kernel/settings.ts';

/** Runs a command line and sets the exit code: 0 done, 1 failed, 2 wrong use. */
export async function runCommand(program: Command, argv: readonly string[]): Promise<void> {
  exitOverride(program);
  try {
    await program.parseAsync([...argv]);
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? 0 : 2;
    } else if (error instanceof SettingsError) {
      process.stderr.write(`${error.message}\n`);
      process.exitCode = 2;
    } else {
      process.stderr.write(`${messageOf(error)}\n`);
      process.exitCode = 1;
    }
  }
}

/** A command came to its end without what it was asked for; the message has been written. */
export function failed(): void {
  process.exitCode = 1;
}

function exitOverride(command: Command): void {
  command.exitOverride();
  for (const sub of command.commands) exitOverride(sub);
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return process.env['NODE_DEBUG'] === undefined ? error.message : (error.stack ?? error.message);
}
