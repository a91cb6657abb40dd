import { EventEmitter, once } from 'node:events';
import { Readable } from 'node:stream';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { withNamedFaults } from './invalid-params.ts';
import { messageLines } from './message-lines.ts';
import { createAgentServer, type AgentOptions } from './server.ts';

/** Serves the protocol on standard input and output until the client closes the input. */
export async function serveOverStdio(options: AgentOptions): Promise<void> {
  const transport = new LineTransport();
  const connection = serveStdio(() => createAgentServer(options), {
    transport,
    maxSubscriptions: 0,
    onerror: (error) => options.log.debug('mcp_refused', { reason: error.message }),
  });
  await transport.closed;
  await connection.close();
}

type Message = Parameters<StdioServerTransport['send']>[0];

/** Standard input and output, one message a line. Errors name invalid parameters by their paths. */
class LineTransport extends StdioServerTransport {
  /** Ids of requests that were read and not answered. */
  readonly #pending: Set<unknown>;
  readonly #answers: EventEmitter;
  readonly #closing = Promise.withResolvers<void>();

  constructor() {
    const pending = new Set<unknown>();
    const answers = new EventEmitter();
    super(Readable.from(readLines(pending, answers)), process.stdout);
    this.#pending = pending;
    this.#answers = answers;
  }

  get closed(): Promise<void> {
    return this.#closing.promise;
  }

  override async send(message: Message): Promise<void> {
    await super.send(withNamedFaults(message));
    if (!('method' in message) && this.#pending.delete(message.id)) this.#answers.emit('answer');
  }

  /** Closes the input, too, so that the command ends for a client that no longer reads. */
  override async close(): Promise<void> {
    await super.close();
    process.stdin.destroy();
    this.#closing.resolve();
  }
}

/** Lines of standard input. They end once their requests are answered, since a pipe closes right after the last. */
async function* readLines(pending: Set<unknown>, answers: EventEmitter): AsyncGenerator<Buffer> {
  const { stdin, stdout } = process;
  const lines = messageLines(stdin, (refusal) => stdout.write(`${JSON.stringify(refusal)}\n`));
  for await (const { line, requestId } of lines) {
    if (requestId !== null) pending.add(requestId);
    yield line;
  }
  const signal = AbortSignal.timeout(lastAnswersMs);
  try {
    while (pending.size > 0) await once(answers, 'answer', { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** Time for the answers after the end of the input; a cancelled request gets none. */
const lastAnswersMs = 10_000;
