import { createMcpHandler } from '@modelcontextprotocol/server';
import { limits } from '../kernel/http/limits.ts';
import { createAgentServer, type AgentOptions } from './server.ts';

/** Answers requests of the protocol, of its revision 2026-07-28 and of those of 2025, each by a server of its own. */
export function createAgentHandler(
  options: Omit<AgentOptions, 'baseUrl'>,
): (request: Request) => Promise<Response> {
  const { fetch } = createMcpHandler(
    ({ requestInfo }) => {
      // Every request over HTTP has its own.
      const baseUrl = requestInfo!.url.replace(/\/mcp$/, '');
      return createAgentServer({ ...options, baseUrl });
    },
    {
      // Answers do not change on their own, so that no stream of changes is kept open.
      maxSubscriptions: 0,
      maxRequestBodySize: limits.bodyBytesMax,
      onerror: (error) => options.log.debug('mcp_refused', { reason: error.message }),
    },
  );
  return fetch;
}
