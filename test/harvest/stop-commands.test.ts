import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { sampleKey } from '../../sample/keys.ts';
import { openJobs } from '../../src/harvest/runs/job-store.ts';
import { Runs } from '../../src/harvest/runs/runs.ts';
import { startMaru } from '../end-to-end/run-maru.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { portalAtNoon } from './portal-at-noon.ts';
import { maru } from './maru.ts';

/** Starts a portal that never answers, and calls `onRequest` for each request. */
async function silentPortal(t: TestContext, onRequest: () => void): Promise<string> {
  const server = createServer(onRequest);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  // The address of a server on a TCP port is an object with the port.
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

for (const [words, run] of [
  [['collect', 'nec_code', '--json'], 'nec_code'],
  [['collect', 'file_990000001'], 'file_990000001'],
  [['catalog', 'collect', 'linked'], 'catalog_linked'],
] as const) {
  test(`Ctrl-C ends \`${words.join(' ')}\` with 130, and the same command resumes it`, async (t) => {
    using folder = temporaryFolder();
    const stop = new AbortController();
    const gateway = await silentPortal(t, () => stop.abort());
    const environment = { MARU_SERVICE_KEY: sampleKey, MARU_PORTAL_GATEWAY: gateway };
    const { child, ended } = startMaru(folder.path, words, environment);
    stop.signal.addEventListener('abort', () => child.kill('SIGINT'));
    const { code, output } = await ended;
    assert.equal(code, 130, output);
    assert.match(output, /^Stopped\. The same command resumes it\.$/m);
    using jobs = openJobs(folder.path);
    const [stopped] = new Runs(jobs, () => Date.now()).latest();
    assert.deepEqual(
      [stopped?.axis, stopped?.state, stopped?.resumable],
      [run, 'interrupted', true],
    );
    await using portal = await portalAtNoon({ clock: () => Date.now() });
    const again = { ...environment, MARU_PORTAL_GATEWAY: portal.url };
    const finished = await maru(words, folder.path, again);
    assert.equal(finished.code, 0, finished.output);
    assert.equal(new Runs(jobs, () => Date.now()).latest()[0]?.id, stopped?.id);
  });
}
