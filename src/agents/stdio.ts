import { once } from 'node:events';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createAgentServer, type AgentOptions } from './server.ts';

/** Serves the protocol on standard input and output until the client closes the input. */
export async function serveOverStdio(options: AgentOptions): Promise<void> {
  const ended = once(process.stdin, 'close');
  const connection = serveStdio(() => createAgentServer(options), {
    maxSubscriptions: 0,
    onerror: (error) => options.log.debug('mcp_refused', { reason: error.message }),
  });
  await ended;
  await connection.close();
}
