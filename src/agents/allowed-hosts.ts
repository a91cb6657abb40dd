import { hostname, networkInterfaces } from 'node:os';
import { isThisMachine } from '../kernel/this-machine.ts';

/**
 * True if the value of a `Host` header names this machine or the public address. In DNS rebinding, a site resolves its own
 * name to this machine; its requests carry that foreign name.
 */
export function isAllowedHost(host: string | null, baseUrl: string | null): boolean {
  const name = hostOf(host);
  if (name === null) return false;
  if (baseUrl !== null && name === new URL(baseUrl).hostname) return true;
  return isThisMachine(name) || machineNames().has(name);
}

/** Host name in a `Host` header, spelt as in URLs; null for an invalid header. */
function hostOf(host: string | null): string | null {
  const url = host === null ? null : URL.parse(`http://${host}`);
  const isHost = url !== null && url.pathname === '/' && url.username === '' && url.search === '';
  return isHost ? url.hostname : null;
}

/** True if pages of this origin may send requests: the host of the origin is allowed. */
export function isAllowedOrigin(origin: string, baseUrl: string | null): boolean {
  const url = URL.parse(origin);
  return url !== null && /^https?:$/.test(url.protocol) && isAllowedHost(url.host, baseUrl);
}

/** Names and addresses of this machine. They are read each time, in microseconds, because interfaces come and go. */
function machineNames(): ReadonlySet<string> {
  const addresses = Object.values(networkInterfaces()).flatMap((list) =>
    (list ?? []).map(({ address, family }) => (family === 'IPv6' ? `[${address}]` : address)),
  );
  return new Set([hostname().toLowerCase(), ...addresses]);
}
