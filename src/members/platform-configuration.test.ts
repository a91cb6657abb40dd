import assert from 'node:assert/strict';
import { test } from 'node:test';
import { membersRig, operator } from '../../test/members/rig.ts';
import { openSecret } from './secret.ts';
import { readPlatformConfiguration } from './platform-configuration.ts';
import { declarePlatforms, setPlatformDisabled } from './platforms.ts';

test('nine platforms are declared with little more than their codes', () => {
  const platforms = Array.from({ length: 9 }, (_, at) => ({ code: `platform-${at}` }));
  const read = readPlatformConfiguration({ platforms });
  assert.equal(read.length, 9);
  assert.deepEqual(read[0], {
    code: 'platform-0',
    name: 'platform-0',
    realm: 'main',
    assurance: 'trusted',
    origins: [],
    capabilities: [],
    cookieDomain: null,
    pageStats: true,
    company: null,
    disabled: null,
  });
});

test('every fault of a configuration is reported at once', () => {
  const platforms = [
    { code: 'Books' },
    { code: 'music', origins: ['https://music.example.com/', 'null', 'https://*.example.com'] },
    { code: 'forum', assurance: 'maybe', realms: 'x', disabled: 'no' },
    { code: 'forum', capabilities: ['printer'] },
  ];
  assert.throws(
    () => readPlatformConfiguration({ platforms }),
    (error: Error) => {
      const expected = [
        /platforms\/0\/code: The code must have/,
        /must be written https:\/\/music.example.com/,
        /"null" is not an http or https origin/,
        /"https:\/\/\*\.example\.com" has a \*/,
        /must be "trusted" or "asserted"/,
        /no property "realms"/,
        /"disabled" must be true or false/,
        /"printer" is not a capability/,
        /declared twice/,
      ];
      for (const pattern of expected) assert.match(error.message, pattern);
      return true;
    },
  );
  assert.throws(() => readPlatformConfiguration([]), /a list "platforms"/);
});

test('a repeated declaration stores the differences, keeps ids, and refuses another realm', async () => {
  await using rig = await membersRig();
  const before = await rig.context.platforms.byCode('books');
  const change = { code: 'books', assurance: 'asserted' };
  const declare = (platforms: readonly object[]) =>
    declarePlatforms(rig.context, readPlatformConfiguration({ platforms }), operator);
  await declare([change]);
  const after = await rig.context.platforms.byCode('books');
  assert.deepEqual([after?.id, after?.assurance, after?.origins], [before?.id, 'asserted', []]);
  const rows = (await rig.context.store.read.audit.after(0, 200)).length;
  await declare([change]);
  assert.equal((await rig.context.store.read.audit.after(0, 200)).length, rows);
  await assert.rejects(declare([{ code: 'books', realm: 'other' }]), /cannot move/);
});

test('a disabled platform stays disabled until a configuration or an operator enables it', async () => {
  await using rig = await membersRig();
  const declare = (more: object) => {
    const platforms = [{ code: 'books', name: 'Books', ...more }];
    return declarePlatforms(rig.context, readPlatformConfiguration({ platforms }), operator);
  };
  const isDisabled = async () => (await rig.context.platforms.byCode('books'))?.disabled;
  await setPlatformDisabled(rig.context, 'books', true, operator);
  await declare({});
  assert.equal(await isDisabled(), true);
  await declare({ disabled: false });
  assert.equal(await isDisabled(), false);
});

test('the secret is created once and read afterwards', async () => {
  await using rig = await membersRig();
  const first = openSecret(rig.folder);
  assert.equal(first.length, 32);
  assert.deepEqual(openSecret(rig.folder), first);
});
