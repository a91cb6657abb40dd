import { nearest } from '../nearest.ts';
import { Problem } from '../problem.ts';
import type { RequestContext, RequestedResource } from './request-context.ts';
import type { ResponsePolicy } from './response-policy.ts';
import type { Content, Result } from './result.ts';
import type { ServerContext } from './server-context.ts';

/** The steps that answer one method of a resource. Each may throw a `Problem`. */
export interface Operation<Caller = unknown, Input = unknown> {
  /** Identifies the caller, and refuses one without the right to call. */
  admit?(request: RequestContext): Caller | Promise<Caller>;
  /** Reads and checks the parameters and the body. */
  read?(request: RequestContext, caller: Caller): Input | Promise<Input>;
  handle(request: RequestContext, caller: Caller, input: Input): Result | Promise<Result>;
  /** Called with the error of a step after `admit`. */
  noteRefusal?(caller: Caller, error: unknown): Promise<void>;
}

/** A path with its operations by method; `{name}` stands for a segment that is a parameter. */
export interface Resource extends RequestedResource {
  readonly policy: ResourcePolicy;
  readonly operations: ReadonlyMap<string, Operation>;
  /** Value of `Allow`. */
  readonly allow: string;
}

/** Rules for all requests of a resource. */
export interface ResourcePolicy extends ResponsePolicy {
  /** Adds the header that lets an origin read the response, if it may. */
  allowOrigin?(request: RequestContext, origin: string): Promise<void>;
  /** Throws a problem of its own for a method that the resource does not have. If it does not throw, the answer is 405. */
  refuseMethod?(request: RequestContext): void;
  /** Renders a problem in another form than JSON; null for JSON. */
  renderProblem?(
    request: RequestContext,
    problem: Problem,
  ): Content | null | Promise<Content | null>;
}

interface ResourceOptions {
  readonly method?: string;
  /** The policy of the listener when absent. */
  readonly policy?: ResourcePolicy;
  readonly isPersonal?: boolean;
}

/** The resources of a listener. */
export class Router {
  readonly server: ServerContext;
  /** Stands in for the resource of an unknown path. */
  readonly missing: Resource;
  readonly #plain = new Map<string, MutableResource>();
  readonly #templates: { readonly pattern: RegExp; readonly resource: MutableResource }[] = [];

  constructor(server: ServerContext, policy: ResourcePolicy) {
    this.server = server;
    const operations = new Map<string, Operation>();
    this.missing = {
      path: 'other',
      isPersonal: false,
      policy,
      operations,
      allow: 'GET, HEAD, OPTIONS',
    };
  }

  /** Adds an operation; the first one of a path sets its policy. */
  add(path: string, operation: Operation, options: ResourceOptions = {}): void {
    const { method = 'GET' } = options;
    const resource = this.#resourceAt(path) ?? this.#create(path, options);
    resource.operations.set(method, operation);
    resource.allow = allowOf(resource.operations);
  }

  /** Adds a page, a file or a probe: a GET without parameters. */
  get(path: string, handle: Operation['handle'], options: ResourceOptions = {}): void {
    this.add(path, { handle }, options);
  }

  get paths(): readonly string[] {
    return [...this.#plain.keys(), ...this.#templates.map(({ resource }) => resource.path)];
  }

  /** The resource of a path; null if there is none. */
  find(path: string): Resource | null {
    const plain = this.#plain.get(path);
    if (plain !== undefined) return plain;
    const decoded = decodedPath(path);
    const found = this.#templates.find(({ pattern }) => pattern.test(decoded));
    return found?.resource ?? this.#plain.get(decoded) ?? null;
  }

  /** 404, with the known path that is most similar. */
  notFound(path: string): Problem {
    const suggestion = nearest(path, this.paths);
    const hint =
      suggestion === null
        ? { ko: '주소 목록은 /docs에 있습니다.', en: 'All addresses are listed at /docs.' }
        : { ko: `${suggestion}을(를) 찾으셨나요?`, en: `Did you mean ${suggestion}?` };
    return new Problem(
      'not_found',
      { ko: `없는 주소입니다. ${hint.ko}`, en: `No page or endpoint has this address. ${hint.en}` },
      suggestion === null ? {} : { extra: { suggestions: [suggestion] } },
    );
  }

  #resourceAt(path: string): MutableResource | undefined {
    const template = this.#templates.find(({ resource }) => resource.path === path);
    return this.#plain.get(path) ?? template?.resource;
  }

  #create(
    path: string,
    { policy = this.missing.policy, isPersonal = false }: ResourceOptions,
  ): MutableResource {
    const resource = { path, policy, isPersonal, operations: new Map(), allow: '' };
    if (path.includes('{')) {
      const pattern = path.replace(/[.]/g, '\\$&').replace(/\{\w+\}/g, '[^/]+');
      this.#templates.push({ pattern: new RegExp(`^${pattern}$`), resource });
    } else {
      this.#plain.set(path, resource);
    }
    return resource;
  }
}

interface MutableResource extends Resource {
  readonly operations: Map<string, Operation>;
  allow: string;
}

function allowOf(operations: ReadonlyMap<string, Operation>): string {
  const methods = [...operations.keys()].flatMap((method) =>
    method === 'GET' ? ['GET', 'HEAD'] : [method],
  );
  return [...methods, 'OPTIONS'].join(', ');
}

/** Decodes percent-encoded letters (RFC 3986, 6.2.2.2); an encoded slash stays a part of its segment. */
function decodedPath(path: string): string {
  if (!path.includes('%')) return path;
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
