import { EventEmitter, once } from 'node:events';
import { Readable, type Writable } from 'node:stream';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { withInvalidParamPaths } from './invalid-params.ts';
import { messageLines } from './message-lines.ts';
import { createAgentServer, type AgentOptions } from './server.ts';

/** Standard input and output of a command. */
interface Streams {
  readonly input: Readable;
  readonly output: Writable;
}

/** Serves MCP over two streams, one message per line, until the client closes the input. */
export async function serveOverStdio(options: AgentOptions, streams: Streams): Promise<void> {
  const transport = new LineTransport(streams);
  const connection = serveStdio(() => createAgentServer(options), {
    transport,
    maxSubscriptions: 0,
    onerror: (error) => options.log.debug('mcp_refused', { reason: error.message }),
  });
  await transport.closed;
  await connection.close();
}

type Message = Parameters<StdioServerTransport['send']>[0];

/** MCP transport over two streams. Its error messages name invalid parameters by their paths. */
class LineTransport extends StdioServerTransport {
  readonly #input: Readable;
  readonly #pending: PendingRequests;
  readonly #closing = Promise.withResolvers<void>();

  constructor(streams: Streams) {
    const pending = new PendingRequests();
    super(Readable.from(readLines(streams, pending)), streams.output);
    this.#input = streams.input;
    this.#pending = pending;
  }

  get closed(): Promise<void> {
    return this.#closing.promise;
  }

  override async send(message: Message): Promise<void> {
    await super.send(withInvalidParamPaths(message));
    if (!('method' in message)) this.#pending.settle(message.id);
  }

  /** Also destroys the input: a client that has stopped reading may leave it open, and the command would never end. */
  override async close(): Promise<void> {
    await super.close();
    this.#input.destroy();
    this.#closing.resolve();
  }
}

/**
 * Yields the lines of the input. After the last line it waits until all requests are answered, because a client that
 * pipes its requests closes the pipe right away.
 */
async function* readLines(
  { input, output }: Streams,
  pending: PendingRequests,
): AsyncGenerator<Buffer> {
  const lines = messageLines(input, (refusal) => output.write(`${JSON.stringify(refusal)}\n`));
  for await (const { line, requestId } of lines) {
    if (requestId !== null) pending.add(requestId);
    yield line;
  }
  await pending.allAnswered();
}

/** Ids of requests that are not answered yet. */
class PendingRequests {
  readonly #ids = new Set<unknown>();
  readonly #events = new EventEmitter();

  add(id: unknown): void {
    this.#ids.add(id);
  }

  settle(id: unknown): void {
    if (this.#ids.delete(id)) this.#events.emit('answer');
  }

  /** Waits until all are answered, for at most `lastAnswersMs`: a cancelled request never gets an answer. */
  async allAnswered(): Promise<void> {
    const signal = AbortSignal.timeout(lastAnswersMs);
    try {
      while (this.#ids.size > 0) await once(this.#events, 'answer', { signal });
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }
}

const lastAnswersMs = 10_000;
