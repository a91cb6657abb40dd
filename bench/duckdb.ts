import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** DuckDB over a Parquet file, in this process with two threads. */
export interface Duckdb extends Disposable {
  readonly version: string;
  /** Place of the Parquet file, to be written with `run`. */
  readonly parquet: string;
  /** Returns the rows of the result. */
  run(sql: string): Promise<unknown[][]>;
}

/**
 * Installs DuckDB from a registry for the time of the benchmark; it is no dependency, since no lock file has all of its
 * platforms. Throws with advice if there is no registry.
 */
export async function openDuckdb(): Promise<Duckdb> {
  const folder = mkdtempSync(join(tmpdir(), 'maru-bench-'));
  try {
    install(folder);
    // The library has these functions; its types are not here.
    const { DuckDBInstance } = createRequire(join(folder, 'x.js'))(library) as DuckdbLibrary;
    const instance = await DuckDBInstance.create(':memory:', { threads: '2' });
    const connection = await instance.connect();
    return {
      version,
      parquet: join(folder, 'records.parquet'),
      async run(sql) {
        const reader = await connection.runAndReadAll(sql);
        return reader.getRows();
      },
      [Symbol.dispose]() {
        connection.closeSync();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

const library = '@duckdb/node-api';
const version = '1.5.6-r.1';

interface DuckdbLibrary {
  readonly DuckDBInstance: {
    create(path: string, options: { threads: string }): Promise<{ connect(): Promise<Connection> }>;
  };
}

interface Connection {
  runAndReadAll(sql: string): Promise<{ getRows(): unknown[][] }>;
  closeSync(): void;
}

function install(folder: string): void {
  const options = ['--no-audit', '--no-fund', '--prefix', folder];
  try {
    execFileSync('npm', ['install', ...options, `${library}@${version}`], { stdio: 'ignore' });
  } catch (error) {
    throw new Error(
      `npm could not install ${library}@${version}. Connect to a registry, or leave --duckdb out.`,
      { cause: error },
    );
  }
}
