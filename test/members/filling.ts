import { writeSync } from 'node:fs';
import { PlatformDirectory } from '../../src/members/platform-directory.ts';
import { Problem } from '../../src/kernel/problem.ts';
import { register } from '../../src/members/register.ts';
import { SqliteMemberStore } from '../../src/members/store/sqlite.ts';

// Registers until the disk has refused ten times, prints each answer, and finally reads the first member.
const [path] = process.argv.slice(2);
await using store = new SqliteMemberStore(path!);
const platforms = new PlatformDirectory(store);
const context = { store, platforms, now: Date.now, secret: Buffer.alloc(32, 7) };
const platform = await platforms.byCode('books');
const caller = { kid: 'filling', platform, scopes: ['members:register'] };
let first = '';
for (let number = 0, refused = 0; refused < 10; number++) {
  const email = `${number}@example.com`;
  const body = { email, platform: 'books', local_user_id: number, extra: { a: 'x'.repeat(4_000) } };
  try {
    const { svc_uid: uid } = await register(context, caller, body);
    first ||= uid;
    writeSync(1, `stored ${email} ${uid}\n`);
  } catch (error) {
    refused++;
    writeSync(1, `refused ${error instanceof Problem ? error.code : String(error)}\n`);
  }
}
writeSync(1, `read ${(await store.read.members.byUid(first))?.svcUid}\n`);
