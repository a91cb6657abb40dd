import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { startServer } from '../../src/kernel/http/server.ts';
import { scopes } from '../../src/contract/enumerations.ts';
import { issueKey } from '../../src/members/keys.ts';
import { readPlatformConfiguration } from '../../src/members/platform-configuration.ts';
import { declarePlatforms } from '../../src/members/platforms.ts';
import { openFixture } from '../fixtures/members.ts';
import { assertAsDocumented } from '../assert-as-documented.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const guide = readFileSync(resolve(import.meta.dirname, '../../docs/members.md'), 'utf8');

test('every curl command of the guide gives the shown answer', async () => {
  using folder = temporaryFolder();
  const settings = { MARU_MEMBERS_URL: 'http://localhost:3000', MARU_COOKIE_DOMAIN: null };
  await using fixture = await openFixture(folder.path, settings);
  const { router, context } = fixture;
  const operator = { actor: 'operator:test', reason: 'the guide' };
  const demo = { platforms: [{ code: 'demo', origins: ['http://localhost:3000'] }] };
  await declarePlatforms(context, readPlatformConfiguration(demo), operator);
  const { secret } = await issueKey(context, { platform: 'demo', scopes }, operator);
  await using server = await startServer({ router, host: '127.0.0.1', port: 0 });
  const blocks = [...guide.matchAll(/```sh\n([^`]*)```\n\n```json\n([^`]*)```/g)];
  assert.equal(blocks.length, [...guide.matchAll(/```sh\n/g)].length, 'commands without an answer');
  const script = blocks
    // Requests go to the test's port on localhost, the host of the cookies; Origin headers keep the registered port.
    .map(([, block]) =>
      block!.replace(/(?<= )http:\/\/localhost:3000\//g, `http://localhost:${server.port}/`),
    )
    .join(`\nprintf '${separator}'\n`);
  const run = promisify(execFile);
  const environment = { ...process.env, KEY: secret };
  const { stdout } = await run('bash', ['-euc', script], { cwd: folder.path, env: environment });
  const answers = stdout.split(separator);
  for (const [at, [, block, shown]] of blocks.entries()) {
    assertAsDocumented(JSON.parse(answers[at]!), JSON.parse(shown!), block!);
  }
});

const separator = '\n=====\n';
