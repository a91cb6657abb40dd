import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { gateRules } from '../../src/harvest/runs/gates.ts';
import { exportContract } from '../../src/contract/export-routes.ts';
import { lookupContract } from '../../src/contract/lookup.ts';
import { membersContract } from '../../src/contract/members.ts';
import type { Route } from '../../src/contract/route.ts';
import { callSamples } from '../../src/web/docs/call-samples.ts';
import { memberCall, type MemberOperation } from '../../src/web/docs/member-calls.ts';
import { memberSamples } from '../../src/web/docs/member-samples.ts';
import { docsPages } from '../../src/web/docs/pages.ts';
import { assertAsDocumented } from '../assert-as-documented.ts';
import { isLongForm } from '../long-form.ts';
import { assertInstalled } from '../needed-program.ts';
import { links, receivers, webhookSecret } from './receivers.ts';
import { sampleList, type Runtime } from './sample-list.ts';
import { phpShop } from './shop-php-sample.ts';
import { programOf, pythonShop } from './shop-sample.ts';
import { startTriedService, type TriedService } from './tried-service.ts';

const root = resolve(import.meta.dirname, '../..');
const guides = docsPages
  .filter((page) => page.kind === 'written')
  .map((page) => page.files.en)
  // test/members/guide.test.ts runs it as one script.
  .filter((file) => file !== 'docs/members.md');

const samples = guides.flatMap((file) =>
  Array.from(
    readFileSync(join(root, file), 'utf8').matchAll(
      /^```(\w+) ?([\w-]*)\n([^]*?)^```\n(?:\n```json\n([^]*?)^```)?/gm,
    ),
    ([, kind, name, code, answer]) => ({ file, kind: kind!, name: name!, code: code!, answer }),
  ).filter(({ kind }) => kind !== 'text' && kind !== 'json'),
);

/** Ten seconds, at some 20 ms each. */
const triesMax = 500;

let service: TriedService;

before(async () => {
  service = await startTriedService();
  const person = { email: 'first@example.com', platform: 'demo', local_user_id: 'u-0' };
  const registered = await service.post('/members/register', person);
  service.variables['SVC_UID'] = (registered.body as { svc_uid: string }).svc_uid;
  await signIn();
});

after(async () => {
  await service[Symbol.asyncDispose]();
});

test('every sample of the guides has its row, and every row its sample', () => {
  assert.deepEqual(samples.map(({ name }) => name).sort(), Object.keys(sampleList).sort());
});

for (const { file, name, code, answer } of samples) {
  const row = sampleList[name];
  if (row === undefined || 'untried' in row) continue;
  if (!isLongForm && row.run === 'bash') {
    test(`${file}: the calls of ${name} are answered`, async () => {
      for (const status of await service.sendCalls(code)) assert.ok(status < 300, String(status));
    });
  }
  if (!isLongForm && row.run !== 'commands' && row.run !== 'node') continue;
  test(`${file}: ${name}`, async () => {
    if (row.needs !== undefined) assertInstalled(row.needs);
    let output = await service.run(code, row.run, row);
    for (let tries = 0; row.again && !row.prints.test(output) && tries < triesMax; tries++) {
      output = await service.run(code, row.run, row);
    }
    assert.match(output, row.prints);
    if (answer !== undefined) assertAsDocumented(JSON.parse(output), JSON.parse(answer), name);
  });
}

for (const shop of isLongForm ? [pythonShop, phpShop] : []) {
  test(`the shop in ${shop.name} goes from sign-up to the nightly job, in both languages`, async () => {
    const program = programOf(shop, 'en');
    assert.equal(programOf(shop, 'ko'), program);
    if (shop.runtime === 'php') assertInstalled('pdo_sqlite');
    service.variables['MARU_WEBHOOK_SECRET'] = webhookSecret;
    // Twice on one database: a reader may try it again.
    for (const [code, lines] of [
      [program, shop.walk],
      [program + shop.later, [...shop.walk, ...shop.laterLines]],
    ] as const) {
      const printed = (await service.run(code, shop.runtime)).split('\n');
      const results = printed.filter((line) => line !== '' && !line.startsWith('members: '));
      assert.deepEqual(results, lines);
    }
  });
}

test('every call of the reference runs in its languages', async () => {
  const calls = Object.values<Route>({ ...lookupContract, ...exportContract })
    .flatMap(({ examples = [] }) => examples)
    .map(({ target }) => callSamples(target.replaceAll('{axis}', 'gen_restdeinfo')));
  const codesIn = (language: string): string[] =>
    calls.map((samples) => samples.find(({ id }) => id === language)!.code);
  const scripts = isLongForm ? [...codesIn('curl'), ...codesIn('r')] : codesIn('curl');
  for (const code of scripts) {
    const output = await service.run(code, code.startsWith('curl') ? 'commands' : 'Rscript');
    assert.doesNotMatch(output, /problem#|Error/, code);
    if (!/ -o |download\.file/.test(code)) assert.match(output, /[{$]/, code);
  }
  // One script, since a start takes longer than a call.
  const modules = codesIn('javascript').map((code) => {
    const checked = `${code}\nif (!answer.ok) throw new Error(String(answer.status));`;
    return `await import('data:text/javascript,' + encodeURIComponent(${JSON.stringify(checked)}));`;
  });
  await service.run(modules.join('\n'), 'node');
  if (isLongForm) await tryInPython(codesIn('python'));
});

async function tryInPython(codes: readonly string[]): Promise<void> {
  const end = '---- end of a sample ----';
  const outputs = (await service.run(codes.join(`\nprint("${end}")\n`), 'python3')).split(end);
  for (const [at, code] of codes.entries()) {
    const output = outputs[at]!;
    assert.doesNotMatch(output, /problem#|Error/, code);
    if (!/\bopen\(/.test(code)) assert.match(output, /\{/, code);
  }
}

for (const { name, code } of samples) {
  const receiver = receivers[name];
  const row = sampleList[name];
  if (receiver === undefined || row === undefined || 'untried' in row) continue;
  if (!isLongForm) continue;
  test(`the webhooks of ${name} register a user who moved and forget an erased one`, async () => {
    service.variables['MARU_WEBHOOK_SECRET'] = webhookSecret;
    const moved = receiver({ type: 'membership.moved', data: { local_user_id: 'u-0' } });
    assert.match(await service.run(code + moved, row.run), /^u-0 svc_\w+\n204$/m);
    const erased = receiver({ type: 'member.erased', data: { svc_uid: 'svc_a' } });
    assert.match(await service.run(code + erased, row.run), /^forgets svc_a\n204$/m);
  });
  test(`a link opened elsewhere signs no user in by ${name}, and a refusal undone`, async () => {
    const shown = await service.run(code + links[name]!, row.run);
    assert.match(shown, /^relays \[\] \[\]\nu-1 invalid_email \S+\n(shared false$|svc_sso=; )/m);
  });
}

test('every call of the lookup reference is answered', async () => {
  const page = await (await fetch(`${service.address}/docs/lookup-api`)).text();
  const typedCalls = Array.from(
    page.matchAll(/<code[^>]*>(curl [^<]+)<\/code>/g),
    ([, call]) => call!,
  );
  assert.ok(typedCalls.length >= 9);
  for (const call of typedCalls) {
    const typed = call.replaceAll('&#39;', "'").replaceAll('&amp;', '&').replace('-L', '-sSfL');
    const output = await service.run(typed, 'commands');
    // A call into a file prints nothing.
    if (!typed.includes(' -o ')) assert.notEqual(output, '', typed);
  }
});

// Object.keys of the contract are its names.
for (const [at, name] of (Object.keys(membersContract) as MemberOperation[]).entries()) {
  const samples = memberSamples(memberCall(name));
  // One language each, and all in the long form, as the only one Python and PHP.
  const shortForm = samples.filter(({ id }) => id === 'curl' || id === 'javascript');
  const tried = isLongForm ? samples : [shortForm[at % shortForm.length]!];
  for (const { id, code } of tried) {
    test(`the members reference: ${name} by ${id}`, async () => {
      // The ids of the tabs are the keys of the runtimes.
      const runtime = memberRuntimes[id as keyof typeof memberRuntimes];
      const person = { email: 'asha@example.com', platform: 'demo', local_user_id: 'u-1' };
      const { body } = await service.post('/members/register', person);
      const own = service.variables['SVC_UID'];
      service.variables['SVC_UID'] = (body as { svc_uid: string }).svc_uid;
      await signIn();
      const shown = id === 'javascript' ? '\nconsole.log(found);' : '';
      const output = await runMemberSample(code + shown, runtime);
      service.variables['SVC_UID'] = own!;
      if (name === 'cardIssued') assert.match(output, /event_not_allowed|403/);
      else assert.doesNotMatch(output, /problem#|Error|Warning/, code);
      assert.match(output, /[{(]/, code);
    });
  }
}

const memberRuntimes = {
  curl: 'commands',
  python: 'python3',
  javascript: 'node',
  php: 'php',
} as const;

/** Output of a sample, or the error of its language where it stops at a refusal. */
async function runMemberSample(code: string, runtime: Runtime): Promise<string> {
  try {
    return await service.run(code.replace('curl', 'curl -sS'), runtime);
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error;
    return String(error);
  }
}

test('the guide to collecting names every finding, in both languages', () => {
  for (const language of ['ko', 'en']) {
    const guide = readFileSync(join(root, `docs/${language}/collect.md`), 'utf8');
    for (const kind of Object.keys(gateRules)) assert.ok(guide.includes(`\`${kind}\``), kind);
  }
});

/** A session of the first person, for samples that need one. */
async function signIn(): Promise<void> {
  const { cookies } = await service.post('/auth/sso/issue', {
    email: 'first@example.com',
    platform: 'demo',
    local_user_id: 'u-0',
  });
  const pair = cookies.find((cookie) => cookie.startsWith('svc_sso='));
  service.variables['TOKEN'] = pair!.split(';')[0]!.slice('svc_sso='.length);
}
