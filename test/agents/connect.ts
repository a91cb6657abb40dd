import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Router } from '../../src/kernel/http/router.ts';
import { request } from '../fixtures/inject.ts';

/** Generations of clients, by the year of the protocol's revision that they negotiate. */
export const generations = ['2025', '2026'] as const;

/** Connects the client of the protocol's own library to `/mcp`, without a network. */
export async function connectAgent(
  router: Router,
  generation: (typeof generations)[number] = '2026',
): Promise<Client> {
  const negotiation =
    generation === '2025' ? {} : { versionNegotiation: { mode: { pin: '2026-07-28' } } };
  const client = new Client({ name: 'test', version: '1.0.0' }, negotiation);
  const transport = new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), {
    fetch: (url, init) => request(router, new URL(url).pathname, init),
  });
  await client.connect(transport);
  return client;
}

/** The answer of a tool. */
export interface AgentAnswer {
  readonly text: string;
  readonly isError: boolean;
  readonly structured: Readonly<Record<string, unknown>> & {
    readonly items?: readonly Readonly<Record<string, unknown>>[];
  };
}

/** Calls a tool. The client compares the members of the answer with the schema of the tool. */
export async function callTool(
  client: Client,
  name: string,
  input: Readonly<Record<string, unknown>>,
): Promise<AgentAnswer> {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: input });
  const [first] = content;
  if (first?.type !== 'text') throw new Error(`${name} answered without a text.`);
  const structured = structuredContent as AgentAnswer['structured'] | undefined;
  return { text: first.text, isError: isError === true, structured: structured ?? {} };
}
