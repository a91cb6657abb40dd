import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { asText, valueOf, type DrivenBrowser } from './driven-browser.ts';

/**
 * Starts Debian's WebKit (`webkit2gtk-driver`): a bare window around the engine, driven over WebDriver, on a screen in
 * memory (`xvfb`). Throws if one of the programs is missing.
 */
export async function openWebKit(stack: AsyncDisposableStack): Promise<DrivenBrowser> {
  const [binary] = globSync('/usr/lib/*/webkit2gtk-4.1/MiniBrowser');
  if (binary === undefined) throw new Error('There is no MiniBrowser (webkit2gtk-driver).');
  const screen = await startScreen(stack);
  const port = await freePort();
  const driver = await start(stack, 'WebKitWebDriver', [`--port=${port}`], { DISPLAY: screen });
  driver.stdout.resume();
  const address = `http://127.0.0.1:${port}/session`;
  const requiredCapabilities = {
    acceptInsecureCerts: true,
    'webkitgtk:browserOptions': { binary, args: ['--automation'] },
  };
  const session = await untilReady(() =>
    send<Session>(address, 'POST', { capabilities: { alwaysMatch: requiredCapabilities } }),
  );
  const sessionAddress = `${address}/${session.sessionId}`;
  stack.defer(() => send(sessionAddress, 'DELETE'));
  const first = await send<string>(`${sessionAddress}/window`, 'GET');
  let last: Promise<unknown> = Promise.resolve();
  /** Commands go to the window that was switched to last: one at a time. The first window stays, or the browser would end. */
  const inWindow = <Answer = void>(
    handle: string,
    ...[method, path, body]: [method: string, path: string, body?: object]
  ): Promise<Answer> => {
    const answer = last.then(async () => {
      await send(`${sessionAddress}/window`, 'POST', { handle });
      return send<Answer>(sessionAddress + path, method, body);
    });
    last = answer.catch(() => {});
    return answer;
  };
  return {
    name: 'WebKit',
    version: session.capabilities.browserVersion,
    async openTab() {
      const newTab = ['POST', '/window/new', { type: 'tab' }] as const;
      const { handle } = await inWindow<Window>(first, ...newTab);
      return {
        goTo: (url) => inWindow(handle, 'POST', '/url', { url }),
        async run(expression) {
          const script = `${asText(expression)}.then(arguments[0])`;
          return valueOf(await inWindow(handle, 'POST', '/execute/async', { script, args: [] }));
        },
        close: () => inWindow(handle, 'DELETE', '/window'),
      };
    },
  };
}

interface Session {
  readonly sessionId: string;
  readonly capabilities: { readonly browserVersion: string };
}

interface Window {
  readonly handle: string;
}

async function send<Answer = void>(url: string, method: string, body?: object): Promise<Answer> {
  const response = await fetch(url, { method, ...(body && { body: JSON.stringify(body) }) });
  // WebDriver wraps every answer in this.
  const { value } = (await response.json()) as { value: Answer & { message?: string } };
  if (!response.ok) throw new Error(`${method} ${url}: ${value.message}`);
  return value;
}

/** The driver does not report when it listens. */
async function untilReady<Answer>(task: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 0; ; tries++) {
    try {
      return await task();
    } catch (error) {
      if (tries === 50 || !(error instanceof TypeError)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

/** Starts a screen in memory and returns its name, such as `:1`. */
async function startScreen(stack: AsyncDisposableStack): Promise<string> {
  const { stdout } = await start(stack, 'Xvfb', ['-displayfd', '1', '-nolisten', 'tcp'], {});
  for await (const line of createInterface({ input: stdout })) return `:${line}`;
  throw new Error('Xvfb ended before it printed its number.');
}

async function start(
  stack: AsyncDisposableStack,
  command: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
) {
  const child = spawn(command, args, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(child, 'spawn');
  const exited = once(child, 'exit');
  stack.defer(async () => {
    child.kill();
    await exited;
  });
  return child;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (typeof address !== 'object' || address === null) throw new Error('It listened nowhere.');
  return address.port;
}
