import type { BrowserContextOptions } from 'playwright-core';
import { createServerContext } from '../../src/kernel/http/server-context.ts';
import { startServer } from '../../src/kernel/http/server.ts';
import { silentLog } from '../../src/kernel/log.ts';
import type { Collections } from '../../src/admin/api/call.ts';
import { createAdminSite } from '../../src/admin/pages/site.ts';
import { sendAsServer, openFixture } from '../fixtures/members.ts';
import { openOperators, signInFirst } from '../fixtures/operators.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { browserTimes, openPage } from './open-browser.ts';

/**
 * A service with its operator pages, and a page in which an owner is signed in. With options the page has a context of its
 * own (open-browser.ts).
 */
export async function openScene(stack: AsyncDisposableStack, options?: BrowserContextOptions) {
  const scene = await openSignedOutScene(stack, options);
  const value = await signInFirst(scene.operators, '하나');
  // Chromium accepts a cookie with this prefix only for an address with TLS, but sends it to this machine without.
  const url = scene.address.replace('http:', 'https:');
  const cookie = { name: '__Host-maru_admin', value, url, secure: true };
  await scene.page.context().addCookies([cookie]);
  return scene;
}

/** A service with its operator pages before the first operator has joined, and a page. */
export async function openSignedOutScene(
  stack: AsyncDisposableStack,
  options?: BrowserContextOptions,
) {
  const page = await openPage(stack, options);
  const folder = stack.use(temporaryFolder());
  const fixture = stack.use(await openFixture(folder.path));
  const operators = await openOperators(fixture.context, folder.path);
  const runs: Run[] = [];
  const router = createAdminSite({
    context: fixture.context,
    server: createServerContext(silentLog),
    operators,
    data: folder.path,
    collections: () => runs,
  });
  const server = stack.use(
    await startServer({ router, host: '127.0.0.1', port: 0, times: browserTimes }),
  );
  const register = async (email: string): Promise<string> => {
    const user = { email, platform: 'books', local_user_id: email };
    const { books } = fixture.keys;
    const { body } = await sendAsServer(fixture, 'POST', '/members/register', books, user);
    return String(body['svc_uid']);
  };
  const { address } = server;
  return { page, fixture, operators, register, address, runs, folder: folder.path };
}

type Run = ReturnType<Collections>[number];

/** A completed collection of an axis. */
export function runOf(axis: string): Run {
  return {
    axis,
    origin: 'portal',
    state: 'done',
    asked_at: '2026-11-20T00:00:00Z',
    finished_at: null,
    rows: 30,
    requests: '3/10',
    requests_sent: 3,
    requests_planned: 10,
    progressed_at: '2026-11-20T00:01:00Z',
    message: null,
    findings: [],
  };
}
