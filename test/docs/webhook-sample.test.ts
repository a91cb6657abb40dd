import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { signedHeaders } from '../../src/members/webhooks.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const root = resolve(import.meta.dirname, '../..');

test('the webhook sample accepts a signed message and refuses a changed one', async () => {
  using folder = temporaryFolder();
  const guide = readFileSync(join(root, 'docs/en/platform.md'), 'utf8');
  const [, sample] = /^```js webhook\n([^]*?)^```/m.exec(guide)!;
  const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
  const body = '{"type":"member.created","data":{"svc_uid":"svc_a"}}';
  const headers = signedHeaders(secret, 'msg_1', Math.floor(Date.now() / 1000), body);
  writeFileSync(join(folder.path, 'sample.mjs'), sample!);
  writeFileSync(
    join(folder.path, 'receive.mjs'),
    `import { receive } from './sample.mjs';
    for (const body of ${JSON.stringify([body, body.replace('svc_a', 'svc_b')])}) {
      const headers = ${JSON.stringify(headers)};
      const request = new Request('https://books.example.com/', { method: 'POST', headers, body });
      console.log((await receive(request)).status);
    }`,
  );
  symlinkSync(join(root, 'node_modules'), join(folder.path, 'node_modules'));
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--conditions=maru-source', 'receive.mjs'],
    { cwd: folder.path, env: { ...process.env, WEBHOOK_SECRET: secret } },
  );
  assert.equal(stdout, 'msg_1 member.created svc_a\n204\n400\n');
});
