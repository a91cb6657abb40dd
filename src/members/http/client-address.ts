import { BlockList, isIP } from 'node:net';
import type { RequestContext } from '../../kernel/http/request-context.ts';

/** Returns the client address of a request, for limits by address. */
export type ClientAddress = (request: RequestContext) => string;

/**
 * The peer's address or, behind trusted proxies, the first untrusted address of `X-Forwarded-For` from the right. Other
 * peers could write any address there. IPv6 addresses count by their /64.
 */
export function clientAddress(trustedProxies: readonly string[]): ClientAddress {
  const trusted = proxyList(trustedProxies);
  return (request) => {
    let address = withoutMapping(request.incoming.socket.remoteAddress ?? '');
    if (trustedProxies.length === 0 || !isTrusted(trusted, address)) return network(address);
    const hops = (request.header('x-forwarded-for') ?? '').split(',').slice(-hopsMax);
    for (const hop of hops.reverse()) {
      const next = withoutMapping(hop.trim());
      if (isIP(next) === 0) break;
      address = next;
      if (!isTrusted(trusted, address)) break;
    }
    return network(address);
  };
}

const hopsMax = 16;

/** Parses the entries; throws an `Error` that names a wrong one. */
function proxyList(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', prefix] = entry.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    const bits = prefix === undefined ? null : Number(prefix);
    try {
      if (isIP(address) === 0) throw new Error('no address');
      if (bits === null) list.addAddress(address, family);
      else list.addSubnet(address, bits, family);
    } catch (cause) {
      throw new Error(
        `MARU_TRUSTED_PROXIES contains "${entry}", which is not an address or a network such as 10.0.0.0/8.`,
        { cause },
      );
    }
  }
  return list;
}

function isTrusted(list: BlockList, address: string): boolean {
  const family = isIP(address);
  return family !== 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

function withoutMapping(address: string): string {
  if (!address.startsWith('::')) return address;
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}

/** A customer can use all IPv6 addresses of a /64, so they count as one. */
function network(address: string): string {
  if (!address.includes(':') || isIP(address) !== 6) return address;
  const [head = '', tail] = address.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0');
  const groups = tail === undefined ? before : [...before, ...zeros, ...after];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
