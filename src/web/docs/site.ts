import { parameterText } from '../../data/korean/normalise.ts';
import { cacheable } from '../../kernel/http/conditional.ts';
import type { RequestContext } from '../../kernel/http/request-context.ts';
import type { Language } from '../../contract/language.ts';
import { readQuery } from '../../kernel/http/query.ts';
import type { Document } from '../../kernel/http/result.ts';
import type { Router } from '../../kernel/http/router.ts';
import { textLengthMax } from '../../contract/route.ts';
import type { StoreHolder } from '../../lookup/current-store.ts';
import { languageOf } from '../page-language.ts';
import type { PageCache } from '../page-cache.ts';
import { docsAddresses, withAddresses, type AddressSettings } from './addresses.ts';
import { docsFrame, documentMain } from './frame.ts';
import { docsFrontPage } from './front-page.ts';
import { addHookFiles } from './hook-files.ts';
import { renderLibrary, type Library } from './library.ts';
import { llmsText, markdownPage, prefersMarkdown } from './markdown-pages.ts';
import { docsPages } from './pages.ts';
import { addPictures } from './pictures.ts';
import { docsSearchPage } from './search-page.ts';
import { docsTexts } from './texts.ts';

export interface DocsOptions {
  readonly holder: StoreHolder;
  readonly settings: AddressSettings;
  readonly pageCache: PageCache;
}

/** Adds `/docs`, a page for each document, a search over them, and the files of hooks and pictures. */
export function addDocs(router: Router, { holder, settings, pageCache }: DocsOptions): void {
  const libraryOf = libraries(holder);
  const page = async (
    request: RequestContext,
    path: string,
    render: PageRenderer,
  ): Promise<Document> => {
    const language = languageOf(request);
    const addresses = docsAddresses(settings, request.header('host'));
    const key = [path, language, addresses.lookup, addresses.members].join(' ');
    const content = await pageCache.page(holder.version, key, async () =>
      withAddresses(render(libraryOf(language)), addresses),
    );
    return cacheable(content, { vary });
  };
  router.get('/docs', (request) => page(request, '/docs', frontPage));
  const markdown = (request: RequestContext, make: (language: Language) => Document): Document => {
    const addresses = docsAddresses(settings, request.header('host'));
    return cacheable(withAddresses(make(languageOf(request)), addresses), { vary });
  };
  for (const row of docsPages) {
    const { slug } = row;
    const path = `/docs/${slug}`;
    const asMarkdown = (request: RequestContext): Document =>
      markdown(request, (language) => markdownPage(row, language));
    router.get(path, (request) =>
      prefersMarkdown(request)
        ? asMarkdown(request)
        : page(request, path, (library) => documentPage(library, slug)),
    );
    router.get(`${path}.md`, asMarkdown);
  }
  router.get('/llms.txt', (request) => markdown(request, llmsText));
  addHookFiles(router);
  addPictures(router);
  router.get('/docs/search', (request) => {
    const content = searchPage(libraryOf(languageOf(request)), queryOf(request));
    return cacheable(content, { vary });
  });
}

type PageRenderer = (library: Library) => Document;

const vary = 'Accept, Accept-Encoding, Accept-Language, Host';

/** Libraries of the current snapshot, whose axes the references list. */
function libraries(holder: StoreHolder): (language: Language) => Library {
  let version: string | null = null;
  let byLanguage = new Map<Language, Library>();
  return (language) => {
    if (version !== holder.version) [version, byLanguage] = [holder.version, new Map()];
    let library = byLanguage.get(language);
    if (library === undefined) {
      const lease = holder.lease();
      library = renderLibrary(language, lease?.store ?? null);
      lease?.release();
      byLanguage.set(language, library);
    }
    return library;
  };
}

function frontPage(library: Library): Document {
  const title = docsTexts[library.language].heading;
  const main = docsFrontPage(library);
  return docsFrame({ library, current: null, title, main, target: '/docs' });
}

function documentPage(library: Library, slug: string): Document {
  // `docsPages` has all pages of the routes and of the library.
  const current = library.pages.find((page) => page.slug === slug)!;
  const main = documentMain(current, library.language);
  return docsFrame({ library, current, title: current.title, main, target: `/docs/${slug}` });
}

function searchPage(library: Library, query: string): Document {
  const title = docsTexts[library.language].searchTitle;
  const main = docsSearchPage(library, query);
  const target = `/docs/search?${new URLSearchParams({ q: query }).toString()}`;
  return docsFrame({ library, current: null, title, main, target, query });
}

/** The search in a page's address. Pages ignore values that the API would refuse, such as bad encoding. */
function queryOf(request: RequestContext): string {
  const q = readQuery(request.query).get('q');
  if (q === undefined || q.fault !== null) return '';
  return parameterText(q.value).slice(0, textLengthMax).toWellFormed();
}
