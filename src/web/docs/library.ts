import { readFileSync } from 'node:fs';
import type { Language } from '../../contract/language.ts';
import type { LookupStore } from '../../lookup/store/store.ts';
import { resolveLink } from './links.ts';
import { renderMarkdown } from './markdown.ts';
import { docsPages, type DocsPage } from './pages.ts';
import { sectionsOf, type Section } from './sections.ts';
import { referenceTexts } from './texts.ts';
import { html, raw } from '../html.ts';

/** Every page of the docs in one language, rendered. */
export interface Library {
  readonly language: Language;
  readonly pages: readonly LibraryPage[];
  /** True if data is served beside the docs. */
  readonly hasData: boolean;
}

export interface LibraryPage {
  readonly slug: string;
  readonly group: DocsPage['group'];
  readonly title: string;
  /** True for a page of the Korean docs whose document exists in English only. */
  readonly isEnglish: boolean;
  /** HTML from the first heading on. */
  readonly body: string;
  readonly sections: readonly Section[];
}

/**
 * All pages of the docs, those of the references with the axes of a store. Documents are read and rendered once,
 * references once a store, in a few milliseconds each.
 */
export function renderLibrary(language: Language, store: LookupStore | null): Library {
  const pages = docsPages.map((page) => {
    const { body, sections } =
      page.kind === 'generated'
        ? renderedReference(page, language, store)
        : renderedDocument(page, language);
    const title = sections[0]?.heading ?? page.slug;
    const isEnglish = page.kind === 'english' && language !== 'en';
    return { slug: page.slug, group: page.group, title, isEnglish, body, sections };
  });
  return { language, pages, hasData: store !== null && store.axes.size > 0 };
}

/** Renders all documents and the references of a store, one a step. */
export function* prepareDocuments(store: LookupStore): Generator<void, void> {
  for (const language of ['ko', 'en'] as const) {
    for (const page of docsPages) {
      yield;
      if (page.kind === 'generated') renderedReference(page, language, store);
      else renderedDocument(page, language);
    }
  }
}

type GeneratedPage = Extract<DocsPage, { readonly kind: 'generated' }>;
type WrittenPage = Exclude<DocsPage, GeneratedPage>;
type RenderedDocument = Pick<LibraryPage, 'body' | 'sections'>;

/** Documents are files of this version, which a running process does not change. */
const rendered = new Map<string, RenderedDocument>();

function renderedDocument(page: WrittenPage, language: Language): RenderedDocument {
  const key = `${page.slug} ${language}`;
  let document = rendered.get(key);
  if (document === undefined) {
    rendered.set(key, (document = withSections(bodyOf(page, language))));
  }
  return document;
}

/** References by store; the members service shows the docs without one, and loads nothing of lookup. */
const references = new WeakMap<LookupStore, Map<string, RenderedDocument>>();

function renderedReference(
  page: GeneratedPage,
  language: Language,
  store: LookupStore | null,
): RenderedDocument {
  if (store === null) return withSections(page.render(language, []).markup);
  let known = references.get(store);
  if (known === undefined) references.set(store, (known = new Map()));
  const key = `${page.slug} ${language}`;
  let reference = known.get(key);
  if (reference === undefined) {
    const axes = Array.from(store.axes.values(), ({ axis: { code, title } }) => ({ code, title }));
    known.set(key, (reference = withSections(page.render(language, axes).markup)));
  }
  return reference;
}

function withSections(body: string): RenderedDocument {
  return { body, sections: sectionsOf(body) };
}

function bodyOf(page: WrittenPage, language: Language): string {
  if (page.kind === 'written') return documentOf(page.files[language], language);
  const words = referenceTexts[language];
  // A title in the reader's language replaces the title of the document.
  const body = documentOf(page.file, language).replace(/^[^]*?<\/h1>/, '');
  return html`<h1>${words[page.words]}</h1>
    <p>${words[`${page.words}Lead`]}</p>
    <div lang="en">${raw(body)}</div>`.markup;
}

function documentOf(path: string, language: Language): string {
  const text = readFileSync(new URL(path, root), 'utf8');
  return renderMarkdown(text, { language, resolve: (href) => resolveLink(href, path, language) });
}

const root = new URL('../../../', import.meta.url);
