import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { audit } from '../../members/audit.ts';
import type { MemberContext } from '../../members/context.ts';
import { newOperator } from './change-operators.ts';

/**
 * Moves the operators of `operators.json`, a file of earlier releases, into the store. They become owners, since these
 * releases had no roles.
 */
export async function importOperators(context: MemberContext, folder: string): Promise<void> {
  const path = join(folder, 'operators.json');
  if (!existsSync(path)) return;
  const previous = readPrevious(path);
  await context.store.write(async (tx) => {
    // Another process may have imported them, or added others.
    if ((await tx.operators.all()).length > 0) return;
    for (const { name, salt, key } of previous) {
      const passphrase = `${salt}:${key}`;
      await tx.operators.put({ ...newOperator(context, name, 'owner'), passphrase });
      const author = { actor: 'system', reason: 'moved from operators.json' };
      const entry = { action: 'operator_added', subject: `operator:${name}` };
      await audit(context, tx, author, { ...entry, detail: { role: 'owner' } });
    }
  });
  rmSync(path, { force: true });
}

interface PreviousOperator {
  readonly name: string;
  readonly salt: string;
  readonly key: string;
}

function readPrevious(path: string): readonly PreviousOperator[] {
  try {
    // Safe: only earlier releases wrote this file.
    return JSON.parse(readFileSync(path, 'utf8')) as PreviousOperator[];
  } catch (cause) {
    const text = `${path} cannot be read. Restore it from a backup, or remove it and create the first operator again.`;
    throw new Error(text, { cause });
  }
}
