import type { Language } from '../contract/language.ts';
import type { Route, RouteParameters, Warning } from '../contract/route.ts';
import { parameterText } from '../data/korean/normalise.ts';
import { canonicalUrl } from '../kernel/http/canonical-url.ts';
import { cacheable } from '../kernel/http/conditional.ts';
import { readParameters, type CheckedParameters, type Values } from '../kernel/http/parameters.ts';
import type { Content, Document } from '../kernel/http/result.ts';
import type { Router } from '../kernel/http/router.ts';
import type { StoreHolder } from '../lookup/current-store.ts';
import { noSnapshot } from '../lookup/no-snapshot.ts';
import { snapshotHeader } from '../lookup/serve.ts';
import type { IsAbandoned } from '../lookup/store/sliced-work.ts';
import type { LookupStore } from '../lookup/store/store.ts';
import { prefersMarkdown } from './docs/markdown-pages.ts';
import { docsAddresses, siteAddress, type AddressSettings } from './docs/addresses.ts';

/** A request for a page, and the data that it is made of. */
export interface PageRequest {
  readonly store: LookupStore;
  readonly language: Language;
  /** The page's own address with some parameters changed, without the host. */
  readonly target: (changes?: Values) => string;
  /** Absolute address of a path of this service; undefined if the address of the service is unknown. */
  readonly absoluteUrl: (path: string) => string | undefined;
  /** Address of the service as its readers reach it, without a slash at the end. */
  readonly baseUrl: string;
  readonly isAbandoned: IsAbandoned;
  /** True if the client prefers Markdown to HTML. */
  readonly isMarkdown: boolean;
  readonly given: CheckedParameters;
  readonly warnings: Warning[];
}

interface PageService {
  readonly router: Router;
  readonly holder: StoreHolder;
  readonly settings: AddressSettings;
}

/**
 * Serves a row of the pages: its parameters are read as in the API, and a fault is shown as a page. A redirect is
 * not cached.
 */
export function servePage<Row extends Route>(
  { router, holder, settings }: PageService,
  route: Row,
  render: (params: RouteParameters<Row>, request: PageRequest) => Content | Promise<Content>,
): void {
  router.get(route.path, async (request) => {
    const host = request.header('host');
    const address = siteAddress(settings, host);
    const lease = holder.lease();
    if (lease === null) throw noSnapshot();
    request.responseHeaders[snapshotHeader] = lease.store.snapshot.id;
    try {
      const rendered = await renderPage(route, request, render, {
        store: lease.store,
        language: request.language,
        absoluteUrl: (path) => (address === null ? undefined : address + path),
        baseUrl: docsAddresses(settings, host).lookup,
        isAbandoned: () => request.outgoing.destroyed,
        isMarkdown: prefersMarkdown(request),
      });
      return isDocument(rendered) ? cacheable(rendered, { vary }) : rendered;
    } finally {
      lease.release();
    }
  });
}

/** Renders a page for an address; a language in the address replaces that of the request. */
export function renderPage<Row extends Route>(
  route: Row,
  { path, query }: { readonly path: string; readonly query: string },
  render: (params: RouteParameters<Row>, request: PageRequest) => Content | Promise<Content>,
  request: Omit<PageRequest, 'target' | 'given' | 'warnings'>,
): Content | Promise<Content> {
  const given = readParameters(route, query, { path, isStrict: false, normalise: parameterText });
  const { values, warnings } = given;
  const { lang } = values;
  return render(values as RouteParameters<Row>, {
    ...request,
    language: lang === 'ko' || lang === 'en' ? lang : request.language,
    target: (changes) => canonicalUrl(route, changes ? { ...values, ...changes } : values),
    given,
    warnings,
  });
}

function isDocument(content: Content): content is Document {
  return content.body instanceof Buffer && content.type !== undefined;
}

const vary = 'Accept, Accept-Encoding, Accept-Language, Host';
