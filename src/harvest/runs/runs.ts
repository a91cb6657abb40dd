import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { DatabaseSync } from 'node:sqlite';
import type { Origin } from '../../data/axis.ts';
import { inTransaction } from '../../kernel/sqlite.ts';
import { runLimits } from './limits.ts';

export type RunState = 'running' | 'done' | 'failed' | 'parked' | 'interrupted';

/** One collection of a source, as the job store has it. */
export interface Run {
  readonly id: number;
  readonly axis: string;
  readonly origin: Origin;
  readonly state: RunState;
  /** The time that all requests of the run treat as now, in milliseconds since 1970; a resumed run keeps it. */
  readonly moment: number;
  /** Time of the last published run of an axis that accumulates; null for the first run and for other axes. */
  readonly since: number | null;
  readonly heartbeat: number;
  readonly finished: number | null;
  /** Time of the last response that it stored; null for none. */
  readonly progressed: number | null;
  /** Time from which a parked run may be resumed. */
  readonly parkedUntil: number | null;
  readonly requests: number;
  readonly planned: number;
  readonly rows: number;
  /** False once the data of the run was published or rejected. */
  readonly resumable: boolean;
  /** Sentence about the failure; null without one. */
  readonly message: string | null;
}

/** Runs and their leases. */
export class Runs {
  readonly #database: DatabaseSync;
  readonly now: () => number;
  readonly #owner = `${hostname()}/${process.pid}/${randomUUID()}`;

  constructor(database: DatabaseSync, now: () => number) {
    this.#database = database;
    this.now = now;
  }

  /**
   * Takes the lease of a source's run: of the unfinished one if it is younger than `resumableMs` or stored a response
   * recently, else of a new one. Throws `SourceBusy` while another process collects the source.
   */
  begin(axis: string, origin: Origin, { resumableMs, planned, since }: RunPlan): Run {
    return inTransaction(this.#database, () => {
      const last = this.#select('SELECT * FROM runs WHERE axis = ? ORDER BY id DESC LIMIT 1', axis);
      const now = this.now();
      if (last?.run.state === 'running') {
        if (this.#isLeaseValid(last.owner, last.run.heartbeat)) throw new SourceBusy(axis);
        this.#execute('UPDATE runs SET state = ? WHERE id = ?', 'interrupted', last.run.id);
      }
      // A run from the future began under a wrong clock.
      const isFresh =
        last !== null &&
        (Math.abs(now - last.run.moment) < resumableMs ||
          Math.abs(now - (last.run.progressed ?? 0)) < runLimits.progressMs);
      if (isFresh && last.run.resumable && last.run.origin === origin) {
        const resume =
          'UPDATE runs SET state = ?, owner = ?, heartbeat = ?, message = NULL WHERE id = ?';
        this.#execute(resume, 'running', this.#owner, now, last.run.id);
        return this.get(last.run.id);
      }
      const insert = `INSERT INTO runs (axis, origin, state, owner, asked, since, heartbeat, planned)
        VALUES (?, ?, 'running', ?, ?, ?, ?, ?)`;
      const values = [axis, origin, this.#owner, now, since, now, planned];
      const { lastInsertRowid } = this.#execute(insert, ...values);
      return this.get(Number(lastInsertRowid));
    });
  }

  /** Takes the lease of the last finished run, to read its responses again. Throws if no run has finished. */
  reopen(axis: string): Run {
    return inTransaction(this.#database, () => {
      const select = 'SELECT * FROM runs WHERE axis = ? ORDER BY resumable, id DESC LIMIT 1';
      const last = this.#select(select, axis);
      if (last === null)
        throw new Error(`${axis} was never collected here: collect it without --reparse.`);
      const { id } = last.run;
      const newest = this.#select(
        'SELECT * FROM runs WHERE axis = ? ORDER BY id DESC LIMIT 1',
        axis,
      );
      const isRunning = newest?.run.state === 'running';
      if (isRunning && this.#isLeaseValid(newest.owner, newest.run.heartbeat)) {
        throw new SourceBusy(axis);
      }
      const take = 'UPDATE runs SET state = ?, owner = ?, heartbeat = ? WHERE id = ?';
      this.#execute(take, 'running', this.#owner, this.now(), id);
      return this.get(id);
    });
  }

  get(id: number): Run {
    const row = this.#select('SELECT * FROM runs WHERE id = ?', id);
    if (row === null) throw new Error(`There is no run ${id}.`);
    return row.run;
  }

  /** Renews the lease of a run that waits to be published; false when another process has taken it. */
  renew(id: number): boolean {
    const update = `UPDATE runs SET heartbeat = ? WHERE id = ? AND owner = ? AND state = 'running'`;
    return Number(this.#execute(update, this.now(), id, this.#owner).changes) > 0;
  }

  /** Renews a lease and stores the counts so far. Throws when another process has taken it. */
  recordProgress(id: number, { requests, planned, rows, progressed }: RunCounts): void {
    const update = `UPDATE runs SET heartbeat = ?, requests = ?, planned = ?, rows = ?,
      progressed = coalesce(?, progressed) WHERE id = ? AND owner = ? AND state = 'running'`;
    const values = [this.now(), requests, planned, rows, progressed, id, this.#owner];
    const { changes } = this.#execute(update, ...values);
    if (Number(changes) === 0) throw new SourceBusy(this.get(id).axis);
  }

  end(id: number, end: RunEnd): void {
    const message = end.message?.slice(0, runLimits.messageLengthMax) ?? null;
    const update = `UPDATE runs SET state = ?, finished = ?, parked_until = ?, resumable = ?,
      message = ?, rows = coalesce(?, rows) WHERE id = ? AND owner = ?`;
    const { state, parkedUntil = null, rows = null } = end;
    const values = [state, this.now(), parkedUntil, end.resumable ? 1 : 0, message, rows];
    this.#execute(update, ...values, id, this.#owner);
  }

  /** The newest run of each source, sorted by code; a running one whose lease expired is returned as interrupted. */
  latest(): Run[] {
    const rows = this.#database
      .prepare(
        'SELECT * FROM runs WHERE id IN (SELECT max(id) FROM runs GROUP BY axis) ORDER BY axis',
      )
      .all() as unknown as Row[];
    return rows.map((row) => {
      const run = runOf(row);
      const isLost = run.state === 'running' && !this.#isLeaseValid(row.owner, run.heartbeat);
      return isLost ? { ...run, state: 'interrupted' } : run;
    });
  }

  /** The last published run of a source; null if there is none. */
  lastDone(axis: string, origin: Origin): Run | null {
    const select = `SELECT * FROM runs WHERE axis = ? AND origin = ? AND state = 'done'
      ORDER BY id DESC LIMIT 1`;
    return this.#select(select, axis, origin)?.run ?? null;
  }

  /** Ids of the runs of a source, newest first. */
  ids(axis: string): number[] {
    const rows = this.#database
      .prepare('SELECT id FROM runs WHERE axis = ? ORDER BY id DESC LIMIT 1000')
      .all(axis);
    return rows.map(({ id }) => Number(id));
  }

  /** Deletes a run; the caller deletes its responses. */
  delete(id: number): void {
    this.#execute('DELETE FROM runs WHERE id = ?', id);
  }

  #isLeaseValid(owner: string, heartbeat: number): boolean {
    if (owner === this.#owner) return true;
    const [host, pid] = owner.split('/');
    if (host === hostname() && !hasProcess(Number(pid))) return false;
    return Math.abs(this.now() - heartbeat) < runLimits.leaseMs;
  }

  #select(sql: string, ...values: (string | number)[]): { run: Run; owner: string } | null {
    const row = this.#database.prepare(sql).get(...values) as unknown as Row | undefined;
    return row === undefined ? null : { run: runOf(row), owner: row.owner };
  }

  #execute(sql: string, ...values: (string | number | null)[]) {
    return this.#database.prepare(sql).run(...values);
  }
}

/** The plan of a new run. */
interface RunPlan {
  /** Age up to which an unfinished run is resumed. */
  readonly resumableMs: number;
  /** Expected number of requests. */
  readonly planned: number;
  readonly since: number | null;
}

type RunCounts = Pick<Run, 'requests' | 'planned' | 'rows' | 'progressed'>;

export interface RunEnd {
  readonly state: Exclude<RunState, 'running'>;
  readonly resumable: boolean;
  readonly message?: string | null;
  readonly parkedUntil?: number | null;
  readonly rows?: number;
}

/** Error for a source that another process is collecting. */
export class SourceBusy extends Error {
  constructor(axis: string) {
    super(`Another process is collecting ${axis}: wait for its end, or stop it.`);
    this.name = 'SourceBusy';
  }
}

interface Row extends Omit<Run, 'moment' | 'parkedUntil' | 'resumable'> {
  readonly owner: string;
  readonly asked: number;
  readonly parked_until: number | null;
  readonly resumable: number;
}

function runOf(row: Row): Run {
  return {
    ...row,
    moment: row.asked,
    parkedUntil: row.parked_until,
    resumable: row.resumable === 1,
  };
}

/** True if any process has this id. For an unrelated program with the id, the lease ends by its time-out. */
function hasProcess(pid: number): boolean {
  // In containers every process may have the id 1, so another owner with our own id has ended.
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
