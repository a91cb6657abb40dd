import { writeSync } from 'node:fs';
import { PlatformDirectory } from '../../src/members/platform-directory.ts';
import { register } from '../../src/members/register.ts';
import { storePlace } from '../fixtures/store-place.ts';

// Registers addresses concurrently and writes each answer to descriptor 3 at once: written answers are durable. Standard
// output would not do: a thread makes it non-blocking, and a write then fails (EAGAIN) while the reader is slow.
// Arguments: address of the store, number of addresses, calls for each, prefix of the addresses.
const [address, addresses, calls, prefix] = process.argv.slice(2);
await using store = await storePlace(address!).open();
const platforms = new PlatformDirectory(store);
const context = { store, platforms, now: Date.now, secret: Buffer.alloc(32, 7) };
const platform = await platforms.byCode('books');
const caller = { kid: 'storm', platform, scopes: ['members:register'] };
let next = 0;

async function hand(): Promise<void> {
  while (next < Number(addresses)) {
    const number = next++;
    const email = `${prefix}${number}@example.com`;
    const body = { email, platform: 'books', local_user_id: String(number) };
    const equal = Array.from({ length: Number(calls) }, () => register(context, caller, body));
    for (const { svc_uid, created } of await Promise.all(equal)) {
      writeSync(3, `${email} ${svc_uid} ${created}\n`);
    }
  }
}

await Promise.all(Array.from({ length: 64 }, hand));
