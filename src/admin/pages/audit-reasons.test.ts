import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { reasonText } from './audit-reasons.ts';

const root = resolve(import.meta.dirname, '../../..');

/** Reasons that code or the default of an option puts into the audit log. */
const written =
  /actor: [^,]+, reason: ['`](.+?)['`] |operatorOf\([^,]+, '(.+?)'\)|'reason, for the audit log', '(.+?)'|\? '(.+?)' : reason\)|const reason = `(\$\{.+?)`/g;

test('each reason that the program writes into the audit log has a Korean text', () => {
  const files = globSync('{bin,src/members,src/admin}/**/*.ts', { cwd: root });
  const found = files
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) => [...readFileSync(resolve(root, file), 'utf8').matchAll(written)])
    .map(([, ...texts]) => texts.find((text) => text !== undefined)!)
    .map((text) => text.replace(/\$\{[^}]+\}/, '100'));
  assert(found.length >= 20, String(found.length));
  const english = found.filter((reason) => !/[가-힣]/.test(reasonText({ language: 'ko' }, reason)));
  assert.deepEqual(english, []);
});

test('the reason of an operator and an English page are shown as written', () => {
  assert.equal(reasonText({ language: 'ko' }, 'by phone'), 'by phone');
  assert.equal(reasonText({ language: 'ko' }, '3 of them'), '3 of them');
  assert.equal(reasonText({ language: 'en' }, 'own account'), 'own account');
});
