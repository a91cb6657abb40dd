import { posix } from 'node:path';
import type { Language } from '../../contract/language.ts';
import { hookAddress } from './hook-files.ts';
import { pictureAddress } from './pictures.ts';
import { docsPages, type DocsPage } from './pages.ts';

/** Address of the page or file that a link of a document leads to. Throws for a document without a page. */
export function resolveLink(href: string, from: string, language: Language): string {
  if (/^(https?:|#)/.test(href)) return href;
  const [target = '', anchor] = href.split('#');
  const path = posix.join(posix.dirname(from), target);
  const file = hookAddress(path) ?? pictureAddress(path);
  if (file !== null) return file;
  const page = docsPages.find((candidate) => filesOf(candidate).includes(path));
  if (page === undefined)
    throw new Error(`${from} links to ${href}, which is not a page of the docs.`);
  return `/docs/${page.slug}?lang=${language}${anchor === undefined ? '' : `#${anchor}`}`;
}

function filesOf(page: DocsPage): readonly string[] {
  return page.kind === 'written' ? Object.values(page.files) : [page.file];
}
