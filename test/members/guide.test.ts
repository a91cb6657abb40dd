import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
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
import { curlCallsIn, sendCurlCall, type CookieFiles } from '../docs/curl-calls.ts';
import { isLongForm } from '../long-form.ts';
import { assertInstalled } from '../needed-program.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const guide = readFileSync(resolve(import.meta.dirname, '../../docs/members.md'), 'utf8');

test('every curl command of the guide gives the documented answer', async () => {
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
  assert.equal(
    blocks.length,
    [...guide.matchAll(/```sh\n/g)].length,
    'every command has an answer',
  );
  // Requests go to the test's port on localhost, the host of the cookies; Origin headers keep the registered port.
  const commands = blocks.map(([, block]) =>
    block!.replace(/(?<= )http:\/\/localhost:3000\//g, `http://localhost:${server.port}/`),
  );
  const answers = await (isLongForm ? answersOfBash : answersOfNode)(commands, secret, folder.path);
  for (const [at, [, block, documented]] of blocks.entries()) {
    assertAsDocumented(JSON.parse(answers[at]!), JSON.parse(documented!), block!);
  }
});

async function answersOfBash(
  commands: readonly string[],
  key: string,
  folder: string,
): Promise<readonly string[]> {
  assertInstalled('bash', 'curl');
  const separator = '\n=====\n';
  const script = commands.join(`\nprintf '${separator}'\n`);
  const options = { cwd: folder, env: { ...process.env, KEY: key } };
  const { stdout } = await promisify(execFile)('bash', ['-euc', script], options);
  return stdout.split(separator);
}

/** Sends the calls of curl, with the values that a shell would take from other programs. */
async function answersOfNode(
  commands: readonly string[],
  key: string,
  folder: string,
): Promise<readonly string[]> {
  const hash = createHash('sha256')
    .update(/printf %s (\S+) \|/.exec(guide)![1]!)
    .digest('hex');
  const date = { '$(date -u +%Y-%m-%dT%H:%M:%SZ)': new Date().toISOString() };
  const variables: Record<string, string | undefined> = { KEY: key, hash, ...date };
  const cookieFiles: CookieFiles = new Map();
  const answers: string[] = [];
  for (const command of commands) {
    const calls = curlCallsIn(command, variables);
    assert.equal(calls.length, command.match(/curl -/g)!.length, command);
    const sent: string[] = [];
    for (const call of calls) sent.push((await sendCurlCall(call, folder, cookieFiles)).text);
    answers.push(sent.at(-1)!);
    variables['uid'] ??= /"svc_uid":"(\w+)"/.exec(answers[0]!)![1]!;
    variables['token'] ??= /svcs_\w+/.exec(cookieFiles.get('cookies.txt') ?? '')?.[0];
  }
  return answers;
}
