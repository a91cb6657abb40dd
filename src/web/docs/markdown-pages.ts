import { readFileSync } from 'node:fs';
import { exportContract } from '../../contract/export-routes.ts';
import { lookupContract } from '../../contract/lookup.ts';
import { membersContract } from '../../contract/members.ts';
import type { Language } from '../../contract/language.ts';
import type { Route } from '../../contract/route.ts';
import { mediaTypeFor } from '../../kernel/http/preferences.ts';
import type { RequestContext } from '../../kernel/http/request-context.ts';
import type { Document } from '../../kernel/http/result.ts';
import { resolveLink } from './links.ts';
import { docsPages, type DocsPage } from './pages.ts';

/** True if the client prefers Markdown to HTML. */
export function prefersMarkdown(request: RequestContext): boolean {
  const types = ['text/html', 'text/markdown'];
  return mediaTypeFor(request.header('accept'), types) === 'text/markdown';
}

/** A page of the docs as Markdown: its document, or an outline of its contract. */
export function markdownPage(page: DocsPage, language: Language): Document {
  const contract = contracts[page.slug];
  const text = contract === undefined ? documentOf(page, language) : outline(contract, language);
  return markdownContent(text);
}

/** `/llms.txt`: the pages and addresses that a program with a language model needs (https://llmstxt.org). */
export function llmsText(language: Language): Document {
  const pages = docsPages.map((page) => {
    const [heading = page.slug] =
      /^# .*$/m.exec(markdownPage(page, language).body.toString()) ?? [];
    return `- [${heading.replace(/^# /, '')}](/docs/${page.slug}.md?lang=${language})`;
  });
  return { ...markdownContent([...lead[language], ...pages, ''].join('\n')), type: plainType };
}

function markdownContent(text: string): Document {
  return { type: 'text/markdown; charset=utf-8', body: Buffer.from(text) };
}

const plainType = 'text/plain; charset=utf-8';

function documentOf(page: DocsPage, language: Language): string {
  const file = page.kind === 'written' ? page.files[language] : page.file;
  const text = readFileSync(new URL(file, root), 'utf8');
  return text.replace(/\]\(([^)\s]+)\)/g, (_, href: string) => {
    return `](${resolveLink(href, file, language).replace(/^(\/docs\/[\w-]+)\?/, '$1.md?')})`;
  });
}

const root = new URL('../../../', import.meta.url);

const contracts: Readonly<Record<string, Readonly<Record<string, Route>>>> = {
  'lookup-api': { ...lookupContract, ...exportContract },
  'members-api': membersContract,
};

/** The routes of a contract with their purposes and parameters. */
function outline(contract: Readonly<Record<string, Route>>, language: Language): string {
  const sections = Object.values(contract).map(({ method, path, purpose, parameters }) => {
    const list = Object.entries(parameters).map(
      ([name, parameter]) => `- \`${name}\`: ${parameter.purpose[language]}`,
    );
    return [
      `## ${method} ${path}`,
      '',
      purpose[language],
      ...(list.length > 0 ? ['', ...list] : []),
    ];
  });
  const title = language === 'ko' ? '# API 요약' : '# Outline of the API';
  return [title, '', '/openapi.json', ...sections.flatMap((lines) => ['', ...lines]), ''].join(
    '\n',
  );
}

const lead: Readonly<Record<Language, readonly string[]>> = {
  ko: [
    '# 마루',
    '',
    '> 인증키 없이 쓰는 대한민국 공공데이터. 모든 응답은 JSON이고 읽기만 합니다.',
    '',
    '## 데이터',
    '',
    '- [MCP 서버](/mcp): AI 도구에서는 이 주소를 쓰세요.',
    '- [데이터셋 찾기](/api/axes?q=주차장&fields=code,title,rows): q, origin, fields, limit, offset',
    '- 데이터셋 설명: `/data/{축 코드}.md`',
    '- [전문 검색](/api/data/search?q=한마음)',
    '- [OpenAPI](/openapi.json)',
    '',
    '## 문서',
    '',
  ],
  en: [
    '# Maru',
    '',
    '> Korea’s open data without a service key. All answers are JSON, and everything is read-only.',
    '',
    '## Data',
    '',
    '- [MCP server](/mcp): assistants connect here.',
    '- [Find datasets](/api/axes?q=주차장&fields=code,title,rows): q, origin, fields, limit, offset',
    '- Description of a dataset: `/data/{axis}.md`',
    '- [Full-text search](/api/data/search?q=한마음)',
    '- [OpenAPI](/openapi.json)',
    '',
    '## Documents',
    '',
  ],
};
