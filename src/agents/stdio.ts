import { once } from 'node:events';
import { Readable } from 'node:stream';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { withNamedFaults } from './invalid-params.ts';
import { messageLines } from './message-lines.ts';
import { createAgentServer, type AgentOptions } from './server.ts';

/** Serves the protocol on standard input and output until the client closes the input. */
export async function serveOverStdio(options: AgentOptions): Promise<void> {
  const { stdin, stdout } = process;
  const ended = once(stdin, 'close');
  const lines = messageLines(stdin, (refusal) => stdout.write(`${JSON.stringify(refusal)}\n`));
  const connection = serveStdio(() => createAgentServer(options), {
    transport: new NamingTransport(Readable.from(lines), stdout),
    maxSubscriptions: 0,
    onerror: (error) => options.log.debug('mcp_refused', { reason: error.message }),
  });
  await ended;
  await connection.close();
}

/** Standard input and output, with errors that name invalid parameters by their paths. */
class NamingTransport extends StdioServerTransport {
  override send(message: Parameters<StdioServerTransport['send']>[0]): Promise<void> {
    return super.send(withNamedFaults(message));
  }

  /** A client that no longer reads gets no more answers: the input ends, and with it the command. */
  override async close(): Promise<void> {
    await super.close();
    process.stdin.destroy();
  }
}
