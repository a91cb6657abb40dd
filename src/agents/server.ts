import {
  fromJsonSchema,
  McpServer,
  ResourceNotFoundError,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import packageFile from '../../package.json' with { type: 'json' };
import { tools, type Tool, type ToolName } from '../contract/tools.ts';
import { problemOf } from '../kernel/http/problem-body.ts';
import type { Log } from '../kernel/log.ts';
import type { StoreHolder } from '../lookup/current-store.ts';
import { todayInSeoul } from '../data/freshness.ts';
import { emptyFolder, noSnapshot } from '../lookup/no-snapshot.ts';
import { answerTool } from './answer-tool.ts';
import type { ToolContext } from './call-endpoint.ts';
import { instructions, overview } from './overview.ts';
import { refusalText } from './refusal.ts';
import { describeDataset } from './tools/describe-dataset.ts';

export interface AgentOptions {
  readonly holder: StoreHolder;
  readonly log: Log;
  /** Address of the lookup service, for links. */
  readonly baseUrl: string;
  /** Data folder to name when it is empty, for a program that does not import data itself. */
  readonly folder?: string;
  /** The current day; by default the day in Seoul. */
  readonly today?: () => string;
}

/** Makes an MCP server with the tools of the contract and two kinds of resources. It holds no state. */
export function createAgentServer(options: AgentOptions): McpServer {
  const server = new McpServer(
    { name: 'maru', title: 'Maru: open data of Korea', version: packageFile.version },
    {
      instructions,
      capabilities: { tools: { listChanged: false }, resources: { listChanged: false } },
      cacheHints: {
        'server/discover': staticHint,
        'tools/list': staticHint,
        'resources/list': staticHint,
        'resources/templates/list': staticHint,
        'resources/read': dataHint,
      },
    },
  );
  for (const tool of registeredTools) {
    const { name, config } = tool;
    server.registerTool(name, config, async (given, { mcpReq }) => {
      return callTool(name, given, options, () => mcpReq.signal.aborted);
    });
  }
  addResources(server, options);
  return server;
}

/** Tools change only with the program, data with the snapshot. Both are public. */
const staticHint = { ttlMs: 3_600_000, cacheScope: 'public' } as const;
const dataHint = { ttlMs: 60_000, cacheScope: 'public' } as const;

/** `answerTool` checks the arguments instead, because its refusals suggest the nearest names. */
const uncheckedSchemas = {
  getValidator: () => (data: unknown) => ({
    valid: true as const,
    data: data as never,
    errorMessage: undefined,
  }),
};

const annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;

const registeredTools = Object.entries<Tool>(tools).map(([name, tool]) => ({
  // Each name is a key of the table.
  name: name as ToolName,
  config: {
    title: tool.title,
    description: tool.description,
    inputSchema: schemaOf(tool.input),
    outputSchema: schemaOf(tool.output),
    annotations,
  },
}));

function schemaOf(schema: object) {
  return fromJsonSchema<Readonly<Record<string, unknown>>>({ ...schema }, uncheckedSchemas);
}

async function callTool(
  name: ToolName,
  given: unknown,
  options: AgentOptions,
  isAbandoned: () => boolean,
) {
  try {
    using data = leaseContext(options, isAbandoned);
    const { text, structured } = await answerTool(name, given, data.context);
    return { content: [{ type: 'text' as const, text }], structuredContent: { ...structured } };
  } catch (error) {
    const problem = problemOf(error);
    if (problem.code === 'internal' && !isAbandoned()) {
      const cause = problem.cause instanceof Error ? problem.cause : problem;
      options.log.error('tool_failed', { tool: name, error: cause.stack ?? cause.message });
    }
    return { content: [{ type: 'text' as const, text: refusalText(problem) }], isError: true };
  }
}

function leaseContext(
  { holder, baseUrl, folder, today = todayInSeoul }: AgentOptions,
  isAbandoned: () => boolean = () => false,
): { readonly context: ToolContext } & Disposable {
  const lease = holder.lease();
  if (lease === null) throw folder === undefined ? noSnapshot() : emptyFolder(folder);
  const context = { store: lease.store, baseUrl, today: today(), isAbandoned };
  return { context, [Symbol.dispose]: lease.release };
}

function addResources(server: McpServer, options: AgentOptions): void {
  const mimeType = 'text/markdown';
  server.registerResource(
    'overview',
    'maru://overview',
    { title: 'Overview', description: 'Rules and the size of what is stored.', mimeType },
    ({ href }) => {
      using data = leaseContext(options);
      return { contents: [{ uri: href, mimeType, text: overview(data.context.store) }] };
    },
  );
  server.registerResource(
    'dataset',
    new ResourceTemplate('maru://dataset/{axis}', { list: undefined }),
    { title: 'Dataset', description: 'Fields, licence and age of one dataset.', mimeType },
    ({ href }, { axis }) => {
      using data = leaseContext(options);
      const code = String(axis);
      if (!data.context.store.axes.has(code)) throw new ResourceNotFoundError(href);
      const { text } = describeDataset({ axis: code }, data.context);
      return { contents: [{ uri: href, mimeType, text }] };
    },
  );
}
