import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newCheckedSecret } from '../../members/checked-secret.ts';
import { invitationMs } from './change-operators.ts';

/** The one-time token for the first operator, in a file that only the user of the service may read. */
export class FirstToken {
  readonly path: string;
  readonly #now: () => number;

  constructor(folder: string, now: () => number) {
    this.path = join(folder, 'first-operator.token');
    this.#now = now;
  }

  /** The token; a new one if there is none or it has expired. */
  open(): string {
    const stored = this.#read();
    if (stored !== null) return stored;
    const token = newCheckedSecret('svci_');
    const end = new Date(this.#now() + invitationMs).toISOString();
    const draft = `${this.path}.${process.pid}`;
    rmSync(draft, { force: true });
    // `wx` refuses an existing file, since that would keep its mode.
    writeFileSync(draft, `${token}\n${end}\n`, { mode: 0o600, flag: 'wx', flush: true });
    renameSync(draft, this.path);
    return token;
  }

  remove(): void {
    rmSync(this.path, { force: true });
  }

  #read(): string | null {
    if (!existsSync(this.path)) return null;
    const [token = '', end = ''] = readFileSync(this.path, 'utf8').split('\n');
    return Date.parse(end) > this.#now() ? token : null;
  }
}
