import { note } from '../kernel/http/server-context.ts';
import { route, type App } from '../kernel/http/route.ts';
import { StoreHolder } from '../lookup/current-store.ts';
import { languageOf } from './asked-language.ts';
import { addAssets } from './assets.ts';
import { addDocs, type DocsOptions } from './docs/site.ts';
import { WrittenPages } from './written-pages.ts';

/** The docs of a process that serves no data: `/docs`, and `/` leads there. */
export function addDocsAlone(
  app: App,
  { front, settings }: Pick<DocsOptions, 'front' | 'settings'>,
): void {
  route(app, front, '/', (request) => {
    note(front, request, 302, 0);
    const language = languageOf(request);
    const headers = { Location: `/docs?lang=${language}`, 'X-Request-Id': request.requestId };
    return { status: 302, headers, body: null };
  });
  addAssets(app, front);
  addDocs(app, { holder: new StoreHolder(), front, settings, written: new WrittenPages() });
}
