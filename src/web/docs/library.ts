import { readFileSync } from 'node:fs';
import type { Language } from '../../contract/language.ts';
import type { AxisChoice } from './reference.ts';
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

/** Reads and renders all documents, in a few milliseconds each. */
export function renderLibrary(language: Language, axes: readonly AxisChoice[]): Library {
  const pages = docsPages.map((page) => {
    const body = bodyOf(page, language, axes);
    const sections = sectionsOf(body);
    const title = sections[0]?.heading ?? page.slug;
    const isEnglish = page.kind === 'english' && language !== 'en';
    return { slug: page.slug, group: page.group, title, isEnglish, body, sections };
  });
  return { language, pages, hasData: axes.length > 0 };
}

function bodyOf(page: DocsPage, language: Language, axes: readonly AxisChoice[]): string {
  if (page.kind === 'generated') return page.render(language, axes).markup;
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
