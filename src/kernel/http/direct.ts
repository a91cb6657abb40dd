import type { IncomingMessage, ServerResponse } from 'node:http';
import { Exchange, type Asked, type RequestHead } from './exchange.ts';
import { routerPath, type App } from './route.ts';
import { limits } from '../settings.ts';

/** An answer before it is settled how it is sent. */
export interface Reply {
  readonly status: number;
  readonly headers: ReplyHeaders;
  /** A text goes out in one write with the headers, bytes in two. */
  readonly body: string | Uint8Array<ArrayBuffer> | null;
}

/** A list for a header that is sent once for each of its values. One object is filled: copies cost more than headers. */
export type ReplyHeaders = Record<string, string | string[]>;

/**
 * Serves all methods of a path, which is shown as it stands here wherever one is shown: parts of it are somebody's.
 * A server that listens answers it on Node's own request, without the router and without making a `Request` and a
 * `Response`, which together cost as much as the rest of a small answer. `answer` may not throw.
 */
export function direct(app: App, path: string, answer: Answering): void {
  app.all(routerPath(path), async (context) => {
    const { status, headers, body } = await answer(new Exchange(context, path, path));
    return new Response(body, { status, headers: flat(headers) });
  });
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

type Answering = (exchange: Exchange) => Promise<Reply>;

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
  const { status, headers, body } = await answer(new Exchange(asked, path, path));
  outgoing.writeHead(status, headers);
  outgoing.end(body);
  if (!incoming.complete) leaveRest(incoming);
}

/** The rest of a body that nobody wants is thrown away for a moment, so that the answer can be read. */
function leaveRest(incoming: IncomingMessage): void {
  const linger = setTimeout(() => incoming.socket.destroySoon(), limits.lingerMs);
  incoming.once('close', () => clearTimeout(linger));
  incoming.resume();
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
    if (name === 'content-type') return everyValue(this.#incoming, name);
    const value = this.#incoming.headers[name];
    return value === undefined ? null : typeof value === 'string' ? value : value.join(', ');
  }
}

/** Of the headers we read, this is the one of which Node keeps the first alone: whoever stands before us may read the other. */
function everyValue({ rawHeaders }: IncomingMessage, name: string): string | null {
  const values = rawHeaders.filter(
    (_, at) => at % 2 === 1 && rawHeaders[at - 1]!.toLowerCase() === name,
  );
  return values.length === 0 ? null : values.join(', ');
}

function flat(headers: ReplyHeaders): Headers {
  const all = new Headers();
  for (const name in headers) {
    const value = headers[name]!;
    if (typeof value === 'string') all.set(name, value);
    else for (const one of value) all.append(name, one);
  }
  return all;
}
