import type { Action } from '../actions/action.ts';
import { actions } from '../actions/all.ts';
import { adminContract } from '../../contract/admin.ts';
import { openApi } from '../../contract/openapi.ts';
import type { RequestContext } from '../../kernel/http/request-context.ts';
import type { ServerContext } from '../../kernel/http/server-context.ts';
import { readJsonBody } from '../../kernel/http/json-body.ts';
import type { Route } from '../../contract/route.ts';
import { pathParameters } from '../../kernel/http/path-parameters.ts';
import { closedPolicy } from '../../kernel/http/response-policy.ts';
import { json, plainText } from '../../kernel/http/result.ts';
import { Router, type Operation } from '../../kernel/http/router.ts';
import type { JsonObject } from '../../kernel/json-object.ts';
import type { MemberContext } from '../../members/context.ts';
import {
  adminCookieOf,
  endSession,
  openSession,
  requireOperator,
  requireOwnSite,
} from '../session.ts';
import type { AdminCall, AdminHandler, AdminHost, Collections } from './call.ts';
import { memberReads } from './members.ts';
import { serviceReads } from './service.ts';
import type { Operators } from './operators.ts';

const handlers: Readonly<Record<keyof typeof adminContract, AdminHandler>> = {
  ...serviceReads,
  ...memberReads,
  ...runsOf(actions),
};

function runsOf<Name extends string>(
  definitions: Readonly<Record<Name, Action>>,
): Readonly<Record<Name, AdminHandler>> {
  const entries = Object.entries<Action>(definitions).map(([name, { run }]) => [name, run]);
  // The same names as those of the definitions.
  return Object.fromEntries(entries) as Record<Name, AdminHandler>;
}

export interface AdminAppOptions {
  readonly server: ServerContext;
  readonly context: MemberContext;
  readonly operators: Operators;
  /** The folder of all data. */
  readonly data: string;
  readonly rateScale?: number;
  readonly collections?: Collections;
}

/** The operator's listener: its JSON. Pages are added to it. */
export function createAdminApi(options: AdminAppOptions): AdminHost {
  const router = new Router(options.server, closedPolicy);
  const host: AdminHost = { rateScale: 1, collections: () => [], ...options, router };
  for (const [name, route] of Object.entries<Route>(adminContract)) {
    // The names of the contract are those of the handlers, by their type.
    const handler = handlers[name as keyof typeof handlers];
    const operation: Operation<string, Pick<AdminCall, 'body' | 'parameters' | 'query'>> = {
      admit: (request) => {
        requireOwnSite(request);
        return requireOperator(host, request);
      },
      read: async (request) => ({
        body: route.body === undefined ? {} : await readJsonBody(request),
        parameters: pathParameters(route.path, request.path),
        query: new URLSearchParams(request.query),
      }),
      handle: async (_request, operatorName, input) =>
        json(await handler({ ...host, operatorName, ...input })),
    };
    router.add(route.path, operation, { method: route.method, isPersonal: true });
  }
  addSession(host);
  router.get('/openapi.json', ({ language }) =>
    json(openApi({ services: ['operators'], language })),
  );
  router.get('/metrics', () => plainText(router.server.metrics.text()));
  return host;
}

/** Adds signing in and signing out. */
function addSession(host: AdminHost): void {
  const add = (
    path: string,
    handle: (request: RequestContext, body: JsonObject) => Promise<string>,
  ) =>
    host.router.add(
      path,
      {
        admit: requireOwnSite,
        read: readJsonBody,
        async handle(request, _caller, body) {
          const token = await handle(request, body as JsonObject);
          return json({ ok: true }, { cookies: [adminCookieOf(token)] });
        },
      },
      { method: 'POST' },
    );
  add('/api/sign-in', (_request, body) => openSession(host, body));
  add('/api/sign-out', async (request) => {
    endSession(host, request);
    return '';
  });
}
