import type { Action, Actions } from '../actions/action.ts';
import { actions } from '../actions/all.ts';
import { adminContract } from '../../contract/admin.ts';
import { openApi } from '../../contract/openapi.ts';
import type { RequestContext } from '../../kernel/http/request-context.ts';
import type { ServerContext } from '../../kernel/http/server-context.ts';
import { checkBody } from '../../kernel/http/check-body.ts';
import { readJsonBody } from '../../kernel/http/json-body.ts';
import type { Route } from '../../contract/route.ts';
import { readParameters } from '../../kernel/http/parameters.ts';
import { closedPolicy } from '../../kernel/http/response-policy.ts';
import { json, plainText } from '../../kernel/http/result.ts';
import { Router, type Operation } from '../../kernel/http/router.ts';
import type { JsonObject } from '../../kernel/json-object.ts';
import type { MemberContext } from '../../members/context.ts';
import { PlatformTraffic } from '../../members/http/platform-traffic.ts';
import type { Operators, SignedInOperator } from '../operators/operators.ts';
import { performAction } from '../actions/perform-action.ts';
import {
  addressOf,
  clearedSession,
  endSession,
  openSession,
  partyOf,
  requireOperator,
  requireOwnSite,
  requireRole,
  sessionCookies,
  signInOptions,
} from '../session.ts';
import type { AdminHandlers, AdminHost, AdminRouteName, Collections, Quotas } from './call.ts';
import { openDataReads } from './open-data.ts';
import { memberReads } from './members.ts';
import { platformHealth } from './platform-health.ts';
import { serviceReads } from './service.ts';
import { operatorReads } from './operators.ts';
import { passkeyReads } from './passkeys.ts';

const handlers: AdminHandlers = {
  ...serviceReads,
  ...platformHealth,
  ...memberReads,
  ...openDataReads,
  ...operatorReads,
  ...passkeyReads,
  ...handlersOf(actions),
};

function handlersOf<Definitions extends Partial<Actions>>(definitions: Definitions) {
  const entries = Object.entries<Action>(definitions).map(([name, definition]) => {
    // Safe: the definitions have the names of routes.
    const route = name as AdminRouteName;
    const run: Action['run'] = (call) => performAction(route, definition, call);
    return [name, run];
  });
  // Safe: every definition has an entry, with the handler of its route.
  return Object.fromEntries(entries) as Pick<AdminHandlers, keyof Definitions & AdminRouteName>;
}

export interface AdminAppOptions {
  readonly server: ServerContext;
  readonly context: MemberContext;
  readonly operators: Operators;
  /** The folder of all data. */
  readonly data: string;
  readonly origin?: AdminHost['origin'];
  readonly rateScale?: number;
  readonly collections?: Collections;
  readonly quotas?: Quotas;
  readonly suspectedSessions?: AdminHost['suspectedSessions'];
  readonly traffic?: AdminHost['traffic'];
}

/** The JSON routes of the operator's listener. `createAdminSite` adds the pages. */
export function createAdminApi(options: AdminAppOptions): AdminHost {
  const router = new Router(options.server, closedPolicy);
  const host: AdminHost = {
    rateScale: 1,
    origin: null,
    collections: () => [],
    quotas: () => [],
    suspectedSessions: () => [],
    traffic: new PlatformTraffic(options.context.now()),
    ...options,
    router,
  };
  for (const [name, route] of Object.entries<Route>(adminContract)) {
    // Safe: `AdminHandlers` has a handler for every name of the contract.
    const handler = handlers[name as AdminRouteName] as (call: object) => Promise<object>;
    const operation: Operation<SignedInOperator, object> = {
      async admit(request) {
        requireOwnSite(host, request);
        const operator = await requireOperator(host, request);
        requireRole(operator, adminContract[name as AdminRouteName].role);
        return operator;
      },
      read: async (request) => ({
        body: route.body === undefined ? {} : checkBody(route, await readJsonBody(request)),
        parameters: parametersOf(route, request),
      }),
      handle: async (request, operator, input) => {
        const party = partyOf(host, request);
        const call = { ...host, operator, address: addressOf(request), party, ...input };
        return json(await handler(call));
      },
    };
    router.add(route.path, operation, { method: route.method, isPersonal: true });
  }
  addSessionRoutes(host);
  router.get('/openapi.json', ({ language }) =>
    json(openApi({ services: ['operators'], language })),
  );
  router.get('/metrics', () => plainText(router.server.metrics.text()));
  return host;
}

function parametersOf(route: Route, { path, query }: RequestContext) {
  const options = { path, isStrict: false, normalise: (text: string) => text };
  return readParameters(route, query, options).values;
}

/** Adds the routes that sign an operator in and out. */
function addSessionRoutes(host: AdminHost): void {
  const add = (
    path: string,
    cookiesOf: (request: RequestContext, body: JsonObject) => Promise<readonly string[]>,
  ) =>
    host.router.add(
      path,
      {
        admit: (request) => requireOwnSite(host, request),
        read: readJsonBody,
        handle: async (request, _caller, body) =>
          json({ ok: true }, { cookies: await cookiesOf(request, body as JsonObject) }),
      },
      { method: 'POST' },
    );
  const options: Operation = {
    admit: (request) => requireOwnSite(host, request),
    async handle(request) {
      const { options, cookies } = signInOptions(host, request);
      return json(options, { cookies });
    },
  };
  host.router.add('/api/sign-in/passkey', options);
  add('/api/sign-in', async (request, body) =>
    sessionCookies(await openSession(host, request, body)),
  );
  add('/api/sign-out', async (request) => {
    await endSession(host, request);
    return clearedSession;
  });
}
