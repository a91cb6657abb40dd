import { Marked, type Tokens } from 'marked';
import type { Language } from '../../contract/language.ts';
import { codeSample } from '../components/code-sample.ts';
import { html } from '../html.ts';
import { pictureSize } from './pictures.ts';
import { docsTexts } from './texts.ts';

interface MarkdownOptions {
  readonly language: Language;
  /** Address on the site of a link in the document. */
  readonly resolve: (href: string) => string;
}

/** Renders a document of this repository as HTML. HTML in it is kept, so never call it with text from outside. */
export function renderMarkdown(text: string, { language, resolve }: MarkdownOptions): string {
  const ids = new Set<string>();
  const marked = new Marked({
    async: false,
    renderer: {
      heading({ tokens, depth, text: heading }) {
        const inner = this.parser.parseInline(tokens);
        // The first level is the title; it needs no anchor.
        if (depth === 1) return `<h1>${inner}</h1>\n`;
        return `<h${depth} id="${newId(heading, ids)}">${inner}</h${depth}>\n`;
      },
      code({ text: code, lang }: Tokens.Code) {
        const [kind = 'text'] = (lang ?? 'text').split(' ');
        return `${codeSample(code, kind, language).markup}\n`;
      },
      link({ href, tokens }) {
        return `<a href="${resolve(href).replaceAll('&', '&amp;')}">${this.parser.parseInline(tokens)}</a>`;
      },
      table({ header, rows }) {
        const headings = header.map(({ tokens }) => this.parser.parseInline(tokens));
        const labels = header.map(({ text: label }) => html`${label}`.markup);
        const bodies = rows.map((cells) =>
          cells.map(({ tokens }, at) => {
            const label = at === 0 ? '' : ` data-label="${labels[at]!}"`;
            return `<td${label}>${this.parser.parseInline(tokens)}</td>`;
          }),
        );
        return `<table><thead><tr>${headings.map((heading) => `<th>${heading}</th>`).join('')}</tr></thead>
<tbody>${bodies.map((cells) => `<tr>${cells.join('')}</tr>`).join('\n')}</tbody></table>\n`;
      },
      image({ href, text: alternative }) {
        const { width, height } = pictureSize;
        return html`<img
          src="${resolve(href)}"
          alt="${alternative}"
          width="${width}"
          height="${height}"
          loading="lazy"
        />`.markup;
      },
    },
  });
  // With `async: false` the result is a string.
  const parsed = marked.parse(text) as string;
  const open = `<div class="scroll" tabindex="0" role="group" aria-label="${docsTexts[language].table}"><table>`;
  return parsed
    .replaceAll('<table>', open)
    .replaceAll('</table>', '</table></div>')
    .replaceAll('<th>', '<th scope="col">');
}

/** A unique anchor made of the words of a heading, Korean or English. */
function newId(heading: string, ids: Set<string>): string {
  const words = heading.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ['part'];
  const base = words.join('-');
  let id = base;
  for (let number = 2; ids.has(id); number++) id = `${base}-${number}`;
  ids.add(id);
  return id;
}
