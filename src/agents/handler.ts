import { createMcpHandler } from '@modelcontextprotocol/server';
import { limits } from '../kernel/http/limits.ts';
import { createAgentServer, type AgentOptions } from './server.ts';

/** Makes a handler of MCP requests, for revision 2026-07-28 and those of 2025. Each request gets a new server. */
export function createAgentHandler(
  options: Omit<AgentOptions, 'baseUrl'>,
): (request: Request) => Promise<Response> {
  const { fetch } = createMcpHandler(
    ({ requestInfo }) => {
      // The library sets `requestInfo` for every request over HTTP.
      const baseUrl = requestInfo!.url.replace(/\/mcp$/, '');
      return createAgentServer({ ...options, baseUrl });
    },
    {
      // Answers change only with the snapshot, so clients cannot subscribe to changes.
      maxSubscriptions: 0,
      maxRequestBodySize: limits.bodyBytesMax,
      onerror: (error) => options.log.debug('mcp_refused', { reason: error.message }),
    },
  );
  return fetch;
}
