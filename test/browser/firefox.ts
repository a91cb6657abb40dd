import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { temporaryFolder } from '../temporary-folder.ts';
import { asText, valueOf, type DrivenBrowser } from './driven-browser.ts';

/** Starts Firefox, driven over WebDriver BiDi, without a driver program. Throws if `command` does not start. */
export async function openFirefox(
  stack: AsyncDisposableStack,
  command = 'firefox-esr',
): Promise<DrivenBrowser> {
  const profile = stack.use(temporaryFolder());
  const flags = ['--headless', '--no-remote', '--remote-debugging-port', '0'];
  const child = spawn(command, [...flags, '--profile', profile.path], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await once(child, 'spawn');
  const exited = once(child, 'exit');
  stack.defer(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  const address = await printedAddress(child.stderr);
  const socket = new WebSocket(`${address}/session`);
  stack.defer(() => socket.close());
  const send = await commandsOver(socket);
  const { capabilities } = await send<{ capabilities: { browserVersion: string } }>('session.new', {
    capabilities: { alwaysMatch: { acceptInsecureCerts: true } },
  });
  return {
    name: 'Firefox',
    version: capabilities.browserVersion,
    async openTab() {
      const { context } = await send<{ context: string }>('browsingContext.create', {
        type: 'tab',
      });
      return {
        goTo: (url) => send('browsingContext.navigate', { context, url, wait: 'complete' }),
        async run(expression) {
          const { result } = await send<{ result: { value: string } }>('script.evaluate', {
            expression: asText(expression),
            target: { context },
            awaitPromise: true,
          });
          return valueOf(result.value);
        },
        close: () => send('browsingContext.close', { context }),
      };
    },
  };
}

async function printedAddress(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: output })) {
    const address = /WebDriver BiDi listening on (ws:\S+)/.exec(line)?.[1];
    if (address === undefined) continue;
    output.resume();
    return address;
  }
  throw new Error('Firefox ended before it printed its address.');
}

/** Returns a function that sends a command and waits for its answer, which has the same number. */
async function commandsOver(socket: WebSocket) {
  const answerHandlers = new Map<number, (message: DriverMessage) => void>();
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as DriverMessage;
    if (message.id !== undefined) answerHandlers.get(message.id)?.(message);
  });
  await once(socket, 'open');
  let last = 0;
  return async <Answer = void>(method: string, params: object): Promise<Answer> => {
    const id = ++last;
    const answer = new Promise<DriverMessage>((resolve) => answerHandlers.set(id, resolve));
    socket.send(JSON.stringify({ id, method, params }));
    const message = await answer;
    answerHandlers.delete(id);
    if (message.type === 'error')
      throw new Error(`${method}: ${message.error}: ${message.message}`);
    // The protocol defines the answer of each command.
    return message.result as Answer;
  };
}

interface DriverMessage {
  readonly id?: number;
  readonly type: 'success' | 'error' | 'event';
  readonly result?: unknown;
  readonly error?: string;
  readonly message?: string;
}
