import { hostname, networkInterfaces } from 'node:os';
import { isThisMachine } from '../kernel/this-machine.ts';

/**
 * True if a host name is one of this machine or of the public address. A page of another site that resolves its own
 * name to this machine (DNS rebinding) has neither.
 */
export function isAllowedHost(host: string | null, baseUrl: string | null): boolean {
  const name = hostOf(host);
  if (name === null) return false;
  if (baseUrl !== null && name === new URL(baseUrl).hostname) return true;
  return isThisMachine(name) || machineNames().has(name);
}

/** Host name of a `Host` header, as in URLs; null if it is none. */
function hostOf(host: string | null): string | null {
  const url = host === null ? null : URL.parse(`http://${host}`);
  const isHost = url !== null && url.pathname === '/' && url.username === '' && url.search === '';
  return isHost ? url.hostname : null;
}

/** True if a page of this origin may call: its host is allowed. */
export function isAllowedOrigin(origin: string, baseUrl: string | null): boolean {
  const url = URL.parse(origin);
  return url !== null && /^https?:$/.test(url.protocol) && isAllowedHost(url.host, baseUrl);
}

/** Interfaces come and go, and are read in microseconds. */
function machineNames(): ReadonlySet<string> {
  const addresses = Object.values(networkInterfaces()).flatMap((list) =>
    (list ?? []).map(({ address, family }) => (family === 'IPv6' ? `[${address}]` : address)),
  );
  return new Set([hostname().toLowerCase(), ...addresses]);
}
