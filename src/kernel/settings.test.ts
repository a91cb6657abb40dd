import assert from 'node:assert/strict';
import test from 'node:test';
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { hookSettings, readSettings, settingsTable, SettingsError } from './settings.ts';

test('an empty environment gives the defaults', () => {
  const settings = readSettings({});
  assert.equal(settings.PORT, 3000);
  assert.equal(settings.HOST, '127.0.0.1');
  assert.equal(settings.ADMIN_PORT, null);
  assert.equal(settings.MARU_DATA, './var');
  assert.equal(settings.MARU_LOG, 'info');
});

test('a value is read by the kind of its setting, and an empty variable counts as unset', () => {
  const settings = readSettings({ PORT: '0', MARU_DATA: '', MARU_BASE_URL: 'https://a.kr/' });
  assert.equal(settings.PORT, 0);
  assert.equal(settings.MARU_DATA, './var');
  assert.equal(settings.MARU_BASE_URL, 'https://a.kr');
});

test('an unknown MARU_ name is refused, with the similar name of a setting', () => {
  assert.throws(() => readSettings({ MARU_DTAA: 'x' }), /did you mean MARU_DATA\?/);
  assert.throws(() => readSettings({ MARU_ZZZZZZZZZZZZZZZZZ: 'x' }), /is not a setting$/);
});

test('the variables of the hooks in examples/ are accepted', () => {
  const cwd = resolve(import.meta.dirname, '../../examples');
  const files = globSync('*/*.{py,php,rb,go,java,sh}', { cwd }).map((file) => resolve(cwd, file));
  const names = files.flatMap((file) => readFileSync(file, 'utf8').match(/\bMARU_[A-Z_]+/g) ?? []);
  // The cookie domain is a setting of the service, too.
  const hookNames = new Set(names.filter((name) => name !== 'MARU_COOKIE_DOMAIN'));
  assert.deepEqual([...hookNames].sort(), [...hookSettings].sort());
  readSettings(Object.fromEntries(hookSettings.map((name) => [name, 'https://a.kr'])));
});

test('the origin of the operators is an https address with a name, or one of localhost', () => {
  assert.equal(adminOrigin('https://admin.example.com/'), 'https://admin.example.com');
  assert.equal(adminOrigin('http://localhost:4001'), 'http://localhost:4001');
  assert.equal(adminOrigin(''), null);
  const refused =
    'http://admin.example.com https://127.0.0.1 https://[::1] https://a.kr/x localhost:1';
  for (const value of refused.split(' '))
    assert.throws(() => adminOrigin(value), /MARU_ADMIN_ORIGIN must be an https/, value);
});

function adminOrigin(MARU_ADMIN_ORIGIN: string): string | null {
  return readSettings({ MARU_ADMIN_ORIGIN }).MARU_ADMIN_ORIGIN;
}

test('all faults are reported at once', () => {
  assert.throws(
    () => readSettings({ PORT: '65536', MARU_LOG: 'loud', MARU_BASE_URL: 'ftp://x' }),
    (error) => error instanceof SettingsError && error.faults.length === 3,
  );
  for (const PORT of ['-1', '1.5', 'abc', '100000']) {
    assert.throws(() => readSettings({ PORT }), /PORT must be a port/);
  }
});

test('every setting explains itself in both languages', () => {
  for (const [name, { help, kind }] of Object.entries(settingsTable)) {
    assert.ok(help.ko.length > 3 && help.en.length > 3 && kind.length > 0, name);
  }
});

test('a wrong database address is refused without its password, and a right one is kept', () => {
  const url = 'postgres://maru:hidden@db.example.com:5432/maru?sslmode=verify-full';
  assert.equal(readSettings({ DATABASE_URL: url }).DATABASE_URL, url);
  assert.equal(readSettings({}).DATABASE_URL, null);
  assert.throws(
    () => readSettings({ DATABASE_URL: 'mysql://maru:hidden@db.example.com/maru' }),
    (error: Error) =>
      error.message.startsWith('DATABASE_URL must be like') && !error.message.includes('hidden'),
  );
});
