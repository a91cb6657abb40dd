import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { exportContract } from '../../src/contract/export-routes.ts';
import { lookupContract } from '../../src/contract/lookup.ts';
import { membersContract } from '../../src/contract/members.ts';
import type { Route } from '../../src/contract/route.ts';
import { memberCall, type MemberOperation } from '../../src/web/docs/member-calls.ts';
import type { ExampleAnswer } from '../../src/web/docs/example-answers.ts';
import { memberSamples } from '../../src/web/docs/member-samples.ts';
import { startTriedService } from './tried-service.ts';

/**
 * Writes the answers that the reference shows beside its calls, from calls of a service over the sample data: `npm run
 * examples`. Lists are cut to one object or two values, and long texts to their start; `…` marks each cut.
 */
const file = resolve(import.meta.dirname, '../../src/web/docs/example-answers.json');
const axis = 'gen_restdeinfo';
const textLengthMax = 60;

await using service = await startTriedService();
const answers: Record<string, ExampleAnswer> = {};
for (const [name, row] of Object.entries<Route>({ ...lookupContract, ...exportContract })) {
  for (const [at, { target }] of (row.examples ?? []).entries()) {
    const filled = target.replaceAll('{axis}', axis);
    const response = await fetch(service.address + encodeURI(filled));
    if (!response.ok) throw new Error(`${filled}: ${response.status}`);
    const type = response.headers.get('content-type')!;
    if (/json/.test(type)) {
      answers[`${name}-${at}`] = { target: filled, answer: cut(await response.json()) };
    } else if (type.startsWith('text/')) {
      answers[`${name}-${at}`] = { target: filled, answer: firstLines(await response.text()) };
    } else await response.body?.cancel();
  }
}
// The keys of the contract are its names.
for (const name of Object.keys(membersContract) as MemberOperation[]) {
  if (name !== 'register') await signIn();
  if (name === 'cardIssued') {
    await service.run('./maru platform add demo --capability card_issuer', 'bash');
  }
  const [curl] = memberSamples(memberCall(name));
  const output = await service.run(curl!.code.replace('curl', 'curl -sSf'), 'bash');
  answers[name] = { answer: cut(JSON.parse(output)) };
}
writeFileSync(file, `${JSON.stringify(answers, null, 2)}\n`);

/** Registers the person of the calls where needed, and starts a session. */
async function signIn(): Promise<void> {
  const person = { email: 'asha@example.com', platform: 'demo', local_user_id: 'u-1' };
  const { body } = await service.post('/members/register', person);
  service.variables['SVC_UID'] = (body as { svc_uid: string }).svc_uid;
  const { cookies } = await service.post('/auth/sso/issue', person);
  const pair = cookies.find((cookie) => cookie.startsWith('svc_sso='))!;
  service.variables['TOKEN'] = pair.split(';')[0]!.slice('svc_sso='.length);
}

function cut(value: unknown): unknown {
  if (typeof value === 'string') {
    return value.length > textLengthMax ? `${value.slice(0, textLengthMax)}…` : value;
  }
  if (Array.isArray(value)) {
    const kept = value.slice(0, typeof value[0] === 'object' ? 1 : 2).map(cut);
    return kept.length < value.length ? [...kept, '…'] : kept;
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, cut(each)]));
}

function firstLines(text: string): string {
  const lines = text.split(/\r?\n/).filter((line) => line !== '');
  return [...lines.slice(0, 3), ...(lines.length > 3 ? ['…'] : [])].join('\n');
}
