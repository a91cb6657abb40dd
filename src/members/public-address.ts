import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';

/** Finds the addresses of a host name. */
type Resolve = (host: string) => Promise<readonly string[]>;

/**
 * The address to connect to for a host. Throws unless all addresses of the host are on the public internet. Callers use
 * the returned address, so that a later answer of the name server cannot redirect them.
 */
export async function publicAddressOf(
  host: string,
  resolve: Resolve = resolveAll,
): Promise<string> {
  const bare = host.replace(/^\[|\]$/g, '');
  const addresses = isIP(bare) === 0 ? await resolve(bare) : [bare];
  const [first] = addresses;
  if (first === undefined) throw new Error('The host has no address.');
  if (!addresses.every(isPublic)) {
    throw new Error('The host has an address that is not on the public internet.');
  }
  return first;
}

/** True for an IP address on the public internet. */
export function isPublic(address: string): boolean {
  const family = isIP(address);
  if (family === 0) return false;
  if (family === 4) return !specialPurpose.check(address, 'ipv4');
  // Only global unicast, except its ranges that embed an IPv4 address or a tunnel.
  return globalUnicast.check(address, 'ipv6') && !specialPurpose.check(address, 'ipv6');
}

async function resolveAll(host: string): Promise<readonly string[]> {
  const found = await lookup(host, { all: true });
  return found.map(({ address }) => address);
}

/** Special-purpose addresses of the IANA registries (RFC 6890 and its updates, 2026). */
const specialPurpose = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const) {
  specialPurpose.addSubnet(network, prefix, 'ipv4');
}
for (const [network, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  specialPurpose.addSubnet(network, prefix, 'ipv6');
}
const globalUnicast = new BlockList();
globalUnicast.addSubnet('2000::', 3, 'ipv6');
