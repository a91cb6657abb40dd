import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientAddress } from './client-address.ts';
import type { RequestContext } from '../../kernel/http/request-context.ts';

function from(peer: string, forwarded?: string): RequestContext {
  // The parts of a request that determine its address.
  return {
    incoming: { socket: { remoteAddress: peer } },
    header: (name: string) => (name === 'x-forwarded-for' ? (forwarded ?? null) : null),
  } as unknown as RequestContext;
}

test('T25: X-Forwarded-For of an untrusted peer is ignored', () => {
  const address = clientAddress(['10.0.0.0/8']);
  assert.equal(address(from('203.0.113.9', '198.51.100.1')), '203.0.113.9');
  assert.equal(clientAddress([])(from('10.0.0.1', '198.51.100.1')), '10.0.0.1');
});

test('behind trusted proxies the first untrusted address from the right counts', () => {
  const address = clientAddress(['10.0.0.0/8', '::1']);
  assert.equal(address(from('10.0.0.1', '1.2.3.4, 198.51.100.1, 10.0.0.2')), '198.51.100.1');
  assert.equal(address(from('::ffff:10.0.0.1', '198.51.100.1')), '198.51.100.1');
  assert.equal(address(from('10.0.0.1', 'spoofed, 10.0.0.3')), '10.0.0.3');
  assert.equal(address(from('10.0.0.1')), '10.0.0.1');
});

test('IPv6 addresses of a /64 count as one, and a wrong proxy setting is refused', () => {
  const address = clientAddress([]);
  assert.equal(address(from('2001:db8:1:2:3:4:5:6')), address(from('2001:db8:1:2::9')));
  assert.throws(
    () => clientAddress(['10.0.0.300']),
    /MARU_TRUSTED_PROXIES contains "10\.0\.0\.300"/,
  );
  assert.throws(() => clientAddress(['10.0.0.0/99']), /MARU_TRUSTED_PROXIES/);
});
