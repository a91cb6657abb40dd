import type { IncomingMessage, ServerResponse } from 'node:http';
import { RequestContext, type Asked, type RequestHead } from './request-context.ts';
import { asResponse, sendReply, type Reply } from './reply.ts';
import type { App } from './route.ts';

/**
 * Serves all methods of a path. A server that listens answers it on Node's own request, without the router and
 * without making a `Request` and a `Response`, which together cost as much as the rest of a small answer. `answer`
 * may not throw. `shownPath` stands for the path wherever one is shown, where parts of it are somebody's.
 */
export function direct(
  app: App,
  path: string,
  answer: Answering,
  shownPath: string | null = null,
): void {
  app.all(routerPath(path), async (context) =>
    asResponse(await answer(new RequestContext(context, path, shownPath))),
  );
  // A path with parameters is for the router to find.
  if (!path.includes('{')) answersOf(app).set(path, answer);
}

/** Answers a request for a path of `direct`; null for one that the router has to find. */
export function answerDirectly(
  app: App,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> | null {
  const { url = '' } = incoming;
  const mark = url.indexOf('?');
  const path = mark < 0 ? url : url.slice(0, mark);
  const answer = answersOf(app).get(path);
  return answer === undefined ? null : send(answer, path, incoming, outgoing);
}

type Answering = (request: RequestContext) => Reply | Promise<Reply>;

/** A path of a contract as Hono writes it. */
export function routerPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

/** Of each application by their paths. */
const answers = new WeakMap<App, Map<string, Answering>>();

function answersOf(app: App): Map<string, Answering> {
  let own = answers.get(app);
  if (own === undefined) answers.set(app, (own = new Map()));
  return own;
}

async function send(
  answer: Answering,
  path: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const asked: Asked = { req: { raw: new NodeHead(incoming) }, env: { incoming, outgoing } };
  const reply = answer(new RequestContext(asked, path, path));
  return sendReply(reply instanceof Promise ? await reply : reply, incoming, outgoing);
}

class NodeHead implements RequestHead {
  readonly body = null;
  readonly #incoming: IncomingMessage;

  constructor(incoming: IncomingMessage) {
    this.#incoming = incoming;
  }

  get method(): string {
    return this.#incoming.method!;
  }

  get url(): string {
    return this.#incoming.url!;
  }

  get headers(): this {
    return this;
  }

  get(name: string): string | null {
    const value = this.#incoming.headers[name];
    if (value === undefined) return null;
    if (keptOnce.has(name)) return everyValue(this.#incoming, name);
    return typeof value === 'string' ? value : value.join(', ');
  }
}

/** Of these headers that we read, Node keeps the first alone: whoever stands before us may read the other. */
const keptOnce: ReadonlySet<string> = new Set(['content-type', 'if-modified-since']);

function everyValue({ rawHeaders }: IncomingMessage, name: string): string {
  return rawHeaders
    .filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]!.toLowerCase() === name)
    .join(', ');
}
