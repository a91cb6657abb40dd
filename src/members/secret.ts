import { createHmac, randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The service's secret of 32 bytes from `members.secret` in the folder; created when absent, readable by its owner
 * only. With a copy of the database alone, an attacker cannot test addresses against tombstones or forge the audit
 * chain.
 */
export function openSecret(folder: string): Uint8Array {
  const path = join(folder, 'members.secret');
  return checked(path, read(path) ?? make(folder, path));
}

/** The secret of an existing store. A new one would invalidate every tombstone and audit row. */
export function readSecret(folder: string): Uint8Array {
  const path = join(folder, 'members.secret');
  return checked(path, read(path));
}

/** Fingerprint of a secret, by which machines find out that they have the same one. */
export function fingerprintOf(secret: Uint8Array): string {
  return createHmac('sha256', secret).update('fingerprint').digest('hex');
}

function checked(path: string, secret: Buffer | null): Buffer {
  if (secret?.length === secretBytes) return secret;
  if (secret === null) {
    throw new Error(
      `${path} is missing, but its store exists. Restore it from a backup: erased addresses and the audit chain are checked with it.`,
    );
  }
  throw new Error(
    `${path} must contain ${secretBytes} bytes in hexadecimal. Restore it from a backup: erased addresses and the audit chain are checked with it.`,
  );
}

function read(path: string): Buffer | null {
  try {
    return Buffer.from(readFileSync(path, 'utf8').trim(), 'hex');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/**
 * Writes a draft and links it to the path. Of two processes that start at once, both read the draft that was linked
 * first.
 */
function make(folder: string, path: string): Buffer {
  mkdirSync(folder, { recursive: true });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, randomBytes(secretBytes).toString('hex'), { mode: 0o600, flush: true });
  try {
    linkSync(draft, path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    unlinkSync(draft);
  }
  return read(path)!;
}

const secretBytes = 32;
