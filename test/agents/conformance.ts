import { spawnSync } from 'node:child_process';
import { serveMaru } from '../end-to-end/run-maru.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/**
 * Runs the scenarios of the protocol's own conformance suite that fit a server without demonstration tools:
 * `node test/agents/conformance.ts`. It downloads the suite, so that it is no part of `npm test`.
 */
const suite = '@modelcontextprotocol/conformance@0.1.16';
const scenarios = [
  'server-initialize',
  'ping',
  'tools-list',
  'resources-list',
  'dns-rebinding-protection',
];

using folder = temporaryFolder();
await using server = await serveMaru(folder.path, {}, ['lookup']);
for (const scenario of scenarios) {
  const given = ['-y', suite, 'server', '--url', `${server.address}/mcp`, '--scenario', scenario];
  const { status } = spawnSync('npx', given, { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
