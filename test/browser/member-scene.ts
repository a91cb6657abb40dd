import type { Browser, Page } from 'playwright-core';
import { scopes } from '../../src/contract/enumerations.ts';
import { issueKey } from '../../src/members/keys.ts';
import { readPlatformConfiguration } from '../../src/members/platform-configuration.ts';
import { declarePlatforms } from '../../src/members/platforms.ts';
import {
  development,
  examples,
  listen,
  openService,
  type Platform,
  type Service,
} from '../sdk/rig.ts';
import { openGate } from '../sdk/gate.ts';
import { openTls } from './tls.ts';

/**
 * Opens a members service on `id.maru.localhost`, with platforms on three sibling names and one on another site.
 * Chromium keeps Secure cookies of `*.localhost` without TLS, so that the service sets them as it does in production.
 */
export async function openScene(stack: AsyncDisposableStack, browser: Browser) {
  const service = await openService(stack);
  const scene = await openPlatforms(stack, service, places, plain);
  return { ...scene, context: stack.use(await browser.newContext()) };
}

/** Opens the scene of a developer's machine, where every host is `localhost` and only the ports differ. */
export async function openDevelopmentScene(stack: AsyncDisposableStack, browser: Browser) {
  const here = places.map((place) => ({ ...place, host: 'localhost' }));
  const service = await openService(stack, development);
  const scene = await openPlatforms(stack, service, here, plain);
  return { ...scene, context: stack.use(await browser.newContext()) };
}

/** Opens the scene behind TLS, for browsers that keep no Secure cookies without it. */
export async function openSecureScene(stack: AsyncDisposableStack) {
  const secure: Front = { scheme: 'https', port: (port) => openTls(stack, port) };
  return openPlatforms(stack, await openService(stack), places, secure);
}

/** The scheme and the port by which browsers reach a server. */
interface Front {
  readonly scheme: 'http' | 'https';
  port(port: number): number | Promise<number>;
}

const plain: Front = { scheme: 'http', port: (port) => port };

async function openPlatforms(
  stack: AsyncDisposableStack,
  service: Service,
  places: readonly Place[],
  front: Front,
) {
  // Pages and platforms reach the service through a gate that can be cut.
  const gate = await openGate(stack, service.port);
  const id = places[0]?.host === 'localhost' ? 'localhost' : 'id.maru.localhost';
  const origin = `${front.scheme}://${id}:${await front.port(gate.port)}`;
  const operator = { actor: 'operator:test', reason: 'the scene' };
  const open = async (place: Place) => {
    let platform: Platform | undefined;
    const { port } = await listen(stack, (request, response) => {
      if (request.url === '/favicon.ico') response.writeHead(204).end();
      else platform?.listener(request, response);
    });
    const platformOrigin = `${front.scheme}://${place.host}:${await front.port(port)}`;
    return {
      declaration: {
        code: place.code,
        origins: [platformOrigin],
        cookie_domain: place.code !== 'outside',
      },
      async start() {
        const issued = await issueKey(service.context, { platform: place.code, scopes }, operator);
        platform = examples[place.example]({
          membersUrl: `http://127.0.0.1:${gate.port}`,
          apiKey: issued.secret,
          platform: place.code,
          scriptUrl: `${origin}/sdk.js`,
          onWarning: () => {},
        });
        const { svc } = platform;
        stack.defer(async () => void (await svc.close({ timeoutMs: 0 })));
        return platformOrigin;
      },
    };
  };
  const opened = await Promise.all(places.map(open));
  const platforms = opened.map(({ declaration }) => declaration);
  await declarePlatforms(service.context, readPlatformConfiguration({ platforms }), operator);
  const [books, music, film, outside] = await Promise.all(opened.map((each) => each.start()));
  return {
    service,
    gate,
    origin,
    books: books!,
    music: music!,
    film: film!,
    outside: outside!,
    /** The number of requests to the service with this path. */
    requestCount: (path: string) => service.logged().split(`"path":"${path}"`).length - 1,
  };
}

interface Place {
  readonly code: string;
  readonly host: string;
  readonly example: keyof typeof examples;
}

const places = [
  { code: 'books', host: 'books.maru.localhost', example: 'express' },
  { code: 'music', host: 'music.maru.localhost', example: 'hono' },
  { code: 'film', host: 'film.maru.localhost', example: 'fastify' },
  { code: 'outside', host: 'outside.localhost', example: 'response' },
] as const satisfies readonly Place[];

/** Serves a page with this body, on a name that no platform has; returns its address. */
export async function openPage(stack: AsyncDisposableStack, body: string): Promise<string> {
  const { port } = await listen(stack, (_, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8').end(body);
  });
  return `http://page.maru.localhost:${port}/`;
}

/** Sends a form of a platform's page. */
export async function submit(page: Page, action: 'signup' | 'login', email: string): Promise<void> {
  const form = page.locator(`form[action="/${action}"]`);
  await form.locator('[name=email]').fill(email);
  await form.locator('[name=password]').fill('correct horse');
  await Promise.all([page.waitForNavigation(), form.locator('button').click()]);
}

/** Evaluates an expression in a page. */
export async function run<Value>(page: Page, expression: string): Promise<Value> {
  return page.evaluate(expression);
}
