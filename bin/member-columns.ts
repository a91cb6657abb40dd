import type { JsonObject } from '../src/kernel/json-object.ts';

/** The columns of a CSV file of members. */
export interface MemberColumns {
  readonly delimiter: string;
  readonly width: number;
  /** The row as the body of a registration; empty cells are left out. */
  bodyOf(cells: readonly (string | null)[]): JsonObject;
}

/**
 * Reads the first line of a CSV file. Columns are named as in `POST /members/register`; `extra.plan` is a property of
 * `extra`, and `extra` and `consents` may be JSON. Throws for a line without `email`, or with an unknown or repeated column.
 */
export function memberColumns(header: string): MemberColumns {
  const delimiter = ['\t', ';', '|'].find((each) => header.includes(each)) ?? ',';
  const names = header.split(delimiter).map((name) => name.trim().replace(/^"(.*)"$/, '$1'));
  if (!names.includes('email')) throw new Error(noEmailMessage);
  const wrong = names.find((name, at) => !isColumn(name) || names.indexOf(name) !== at);
  if (wrong !== undefined) {
    throw new Error(
      `The column "${wrong}" is unknown or repeated. Columns: ${columns.join(', ')} and extra.NAME. Remove it, or name it extra.NAME to store it.`,
    );
  }
  return { delimiter, width: names.length, bodyOf: (cells) => bodyOf(names, cells) };
}

const columns = [
  'email',
  'platform',
  'local_user_id',
  'email_verified',
  'requested_at',
  'extra',
  'consents',
];

/** The message does not quote the first line: without the column it may be the data of a member. */
const noEmailMessage = `The first line must name the columns, among them email: ${columns.join(', ')} or extra.NAME, in UTF-8.`;

function isColumn(name: string): boolean {
  return columns.includes(name) || /^extra\.[\w.-]{1,64}$/.test(name);
}

function bodyOf(names: readonly string[], cells: readonly (string | null)[]): JsonObject {
  const body: Record<string, unknown> = {};
  const extra: [string, string][] = [];
  for (const [at, name] of names.entries()) {
    const cell = cells[at] ?? null;
    if (cell === null) continue;
    if (name.startsWith('extra.')) extra.push([name.slice('extra.'.length), cell]);
    else body[name] = valueOf(name, cell);
  }
  if (extra.length > 0)
    body['extra'] = { ...objectOf(body['extra']), ...Object.fromEntries(extra) };
  return body;
}

/** The value of a cell. An invalid one stays text, and the registration warns of it. */
function valueOf(name: string, cell: string): unknown {
  if (name === 'email_verified') {
    const flag = cell.toLowerCase();
    return flag === 'true' ? true : flag === 'false' ? false : cell;
  }
  if (name !== 'extra' && name !== 'consents') return cell;
  try {
    return JSON.parse(cell) as unknown;
  } catch {
    return cell;
  }
}

function objectOf(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}
