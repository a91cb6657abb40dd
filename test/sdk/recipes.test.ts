import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { temporaryFolder } from '../temporary-folder.ts';
import { openService } from './rig.ts';

const guide = readFileSync(resolve(import.meta.dirname, '../../docs/recipes.md'), 'utf8');

/** How each language runs its recipe: the file, and what is added to call both hooks. */
const languages = {
  sh: {
    command: 'bash',
    call: `echo "$(after_sign_up asha@example.com u-1)"\nafter_login asha@example.com u-1\n`,
  },
  python: {
    command: 'python3',
    call: `print(after_sign_up("asha@example.com", "u-1"))\nprint("\\n".join(after_login("asha@example.com", "u-1")))\n`,
  },
  php: {
    command: 'php',
    call: `echo after_sign_up('asha@example.com', 'u-1'), "\\n", implode("\\n", after_login('asha@example.com', 'u-1')), "\\n";\n`,
  },
} as const;

for (const [language, { command, call }] of Object.entries(languages)) {
  test(`the recipe in ${language} registers, and gives both cookies as they came`, async (context) => {
    const present = spawnSync(command, ['--version']).error === undefined;
    if (!present) return context.skip(`${command} is not on this machine`);
    await using stack = new AsyncDisposableStack();
    const service = await openService(stack);
    const { stdout } = await run(stack, language, call, service.address, service.keys.books);
    const [uid = '', ...cookies] = stdout.trim().split(/\r?\n/);
    assert.match(uid, /^svc_\w+$/);
    const values = cookies.map((cookie) => cookie.replace(/^set-cookie: /i, ''));
    const attributes = 'Domain=maru.localhost; Path=/; Max-Age=604800';
    assert.equal(values.length, 2);
    assert.match(values[0]!, new RegExp(`^svc_sso=svcs_\\w+; ${attributes}; HttpOnly; Secure`));
    assert.match(values[1]!, new RegExp(`^svc_uid=${uid}; ${attributes}; Secure`));
  });
}

test('the recipe in python goes on when the service is away', async (context) => {
  if (spawnSync('python3', ['--version']).error !== undefined) {
    return context.skip('python3 is not on this machine');
  }
  await using stack = new AsyncDisposableStack();
  // Nothing listens on the port of discard.
  const { call } = languages.python;
  const { stdout, stderr } = await run(stack, 'python', call, 'http://127.0.0.1:9', 'svck_x');
  assert.equal(stdout.trim(), 'None');
  assert.match(stderr, /a sign-up was not registered/);
  assert.ok(!stderr.includes('asha@'));
});

async function run(
  stack: AsyncDisposableStack,
  language: keyof typeof languages | (string & {}),
  call: string,
  url: string,
  key: string,
) {
  const recipe = new RegExp('```' + language + '\\n(.*?)```', 's').exec(guide)![1]!;
  const file = join(stack.use(temporaryFolder()).path, 'recipe');
  writeFileSync(file, `${recipe}\n${call}`);
  const environment = { ...process.env, SVC_URL: url, SVC_KEY: key };
  const { command } = languages[language as keyof typeof languages];
  return promisify(execFile)(command, [file], { env: environment });
}
