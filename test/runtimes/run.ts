import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import sdkPackage from '../../sdk/package.json' with { type: 'json' };
import { openGate, troubles, type Gate } from '../sdk/gate.ts';
import { walkPlatform } from '../sdk/platform-walk.ts';
import { eventsHeld, listen, openService, type Service } from '../sdk/rig.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { numberPrinted, start } from './child.ts';
import { installApplication, installNextApplication, installRuntime, runtimes } from './install.ts';

/**
 * Tests the package and its adapters in Node 20, 22 and 24, Bun and Deno, each against a running service: `node
 * test/runtimes/run.ts [RUNTIME…]`. Takes some minutes and needs npm's registry: runtimes and frameworks are installed
 * into a temporary folder. Exits with 1 if anything failed, with 2 for an unknown runtime.
 */
const checksMsMax = 120_000;
const startMsMax = 60_000;
const requestedNames = process.argv.slice(2);
const names = runtimes.map(({ name }) => name);
let failures = 0;

const unknown = requestedNames.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`There is no ${unknown.join(', ')}; there are ${names.join(', ')}.\n`);
  process.exitCode = 2;
} else {
  await runAll(
    runtimes.filter(({ name }) => requestedNames.length === 0 || requestedNames.includes(name)),
  );
  process.stdout.write(failures === 0 ? 'All passed.\n' : `${failures} failed.\n`);
  process.exitCode = failures === 0 ? 0 : 1;
}

async function runAll(chosen: typeof runtimes): Promise<void> {
  using folder = temporaryFolder();
  const application = await installApplication(folder.path);
  const next = await installNextApplication(folder.path);
  for (const runtime of chosen) {
    const command = installRuntime(folder.path, runtime);
    const version = execFileSync(command[0]!, ['--version'], { encoding: 'utf8' });
    process.stdout.write(`${runtime.name} ${version.split('\n')[0]}\n`);
    await runChecks(application, command, join(folder.path, `${runtime.name}-files`));
    if (runtime.name.startsWith('node'))
      await report('require() loads it', requireAll(application, command));
    for (const framework of ['express', 'fastify', 'hono', 'response']) {
      const platform = [...command, 'platform.js', framework];
      await report(`the example with ${framework}`, walk(platform, application));
    }
    const server = [...command, 'node_modules/next/dist/bin/next', 'start'];
    await report('the example with next', walk([...server, '-H', '127.0.0.1', '-p', '0'], next));
  }
}

/** Requires every entry in CommonJS. Each must be the CommonJS build, since early Node 20 cannot require ES modules. */
async function requireAll(cwd: string, [node, ...flags]: readonly string[]): Promise<void> {
  const names = Object.keys(sdkPackage.exports).map((entry) => `@maru/sdk${entry.slice(1)}`);
  const code = `console.log(${JSON.stringify(names)}.filter((name) => !require(name).__esModule).length)`;
  const args = [...flags, '--input-type=commonjs', '-e', code];
  const { stdout } = await promisify(execFile)(node!, args, { cwd });
  assert.equal(stdout, '0\n');
}

/** Reports each check as it is done; the process must end by itself. */
async function runChecks(cwd: string, command: readonly string[], files: string): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const service = await openService(stack);
  const gate = await openGate(stack, service.port);
  const controls = await openControls(stack, service, gate);
  mkdirSync(files);
  const args = [`http://127.0.0.1:${gate.port}`, controls, service.keys.books, files];
  const child = start(stack, [...command, 'checks.js', ...args], { cwd });
  const timer = setTimeout(() => child.kill(), checksMsMax);
  for await (const line of createInterface({ input: child.output })) {
    // The checks print nothing else.
    const { name, fault } = JSON.parse(line) as { name: string; fault: string | null };
    await report(name, fault === null ? Promise.resolve() : Promise.reject(new Error(fault)));
  }
  await report(
    'ends by itself',
    child.exited.then((code) => assert.equal(code, 0)),
  );
  clearTimeout(timer);
}

/** Serves requests of the checks: they make or end a trouble with the service, or count its events. */
async function openControls(
  stack: AsyncDisposableStack,
  service: Service,
  gate: Gate,
): Promise<string> {
  const { port } = await listen(stack, (request, response) => {
    const [, verb, name = ''] = (request.url ?? '').split('/');
    if (verb === 'held') {
      void eventsHeld(service, name).then((count) => response.end(String(count)));
    } else {
      // The name `none` is not in the table, and ends the fault.
      gate.cut(troubles[name as keyof typeof troubles] ?? null);
      response.end();
    }
  });
  return `http://127.0.0.1:${port}`;
}

async function walk(command: readonly string[], cwd: string): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const service = await openService(stack);
  const [membersUrl, apiKey] = [service.address, service.keys.books];
  const environment = { MEMBERS_URL: membersUrl, API_KEY: apiKey, NEXT_TELEMETRY_DISABLED: '1' };
  const child = start(stack, command, { cwd, environment });
  const port = await numberPrinted(child, /(?:listening |127\.0\.0\.1:)(\d+)\s/, startMsMax);
  await walkPlatform(`http://127.0.0.1:${port}`);
  assert.equal(await service.context.store.read.members.count(), 1);
}

async function report(name: string, task: Promise<unknown>): Promise<void> {
  const fault = await task.then(
    () => null,
    (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error)),
  );
  if (fault !== null) failures++;
  process.stdout.write(fault === null ? `  ok      ${name}\n` : `  failed  ${name}\n${fault}\n`);
}
