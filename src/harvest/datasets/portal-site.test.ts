import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { PortalError } from '../client/portal-error.ts';
import { createPortalSite } from './portal-site.ts';

const address = {
  path: 'www.data.go.kr/cmm/cmm/fileDownload.do',
  parameters: { atchFileId: 'FILE_1' },
};

test('a file or page at its bound is read, and one byte more is refused', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'part');
  for (const chunked of [false, true]) {
    await using server = await serve('0123456789', chunked);
    const siteFor = (bytes: number) =>
      createPortalSite({
        ...quick,
        gateway: server.url,
        fileBytesMax: bytes,
        limits: { ...quick.limits, bodyBytesMax: bytes },
      });
    const saved = await siteFor(10).download(address, path, () => null);
    assert.equal(saved.bytes, 10);
    assert.equal(readFileSync(path, 'utf8'), '0123456789');
    const { text } = await siteFor(10).fetchPage(address, (each) => ({ text: each }));
    assert.equal(text, '0123456789');
    await assert.rejects(
      siteFor(9).download(address, path, () => null),
      isTooLarge,
    );
    await assert.rejects(
      siteFor(9).fetchPage(address, (each) => ({ text: each })),
      isTooLarge,
    );
  }
});

test('a refusal is final when two attempts get the same; a temporary fault is retried', async () => {
  await using server = await serve('ok', false);
  const site = createPortalSite({ ...quick, gateway: server.url });
  const faults = ['a', 'b', 'b'].map((code) => ({ class: 'request', code, message: '' }) as const);
  let requested = 0;
  await assert.rejects(
    site.fetchPage(address, () => faults[requested++] ?? { done: true }),
    (error: unknown) => error instanceof PortalError && error.code === 'b' && error.attempts === 3,
  );
  let passed = 0;
  const fault = { class: 'retry', code: 'html', message: '' } as const;
  const answer = await site.fetchPage(address, () => (passed++ < 3 ? fault : { passed }));
  assert.deepEqual(answer, { passed: 4 });
});

test('a host that keeps failing gets no further requests', async () => {
  await using server = await serve('ok', false);
  const site = createPortalSite({ ...quick, gateway: server.url });
  const fault = { class: 'retry', code: 'html', message: '' } as const;
  let requested = 0;
  const read = () => {
    requested++;
    return fault;
  };
  for (let times = 0; times < 4; times++) await assert.rejects(site.fetchPage(address, read));
  assert.equal(requested, 10);
});

const quick = {
  clock: { now: () => 0, wait: () => Promise.resolve() },
  random: () => 0,
  limits: { callsPerSecond: 1_000 },
};

function isTooLarge(error: unknown): boolean {
  return error instanceof PortalError && error.code === 'body_too_large';
}

async function serve(body: string, chunked: boolean) {
  const server = createServer((_, response) => {
    if (chunked) response.write(body.slice(0, 3));
    response.end(chunked ? body.slice(3) : body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
