import type { Language } from '../../contract/language.ts';
import { lookupReference, memberReference, type AxisChoice } from './reference.ts';
import type { Html } from '../html.ts';
import { problemList } from './problem-list.ts';
import { settingList } from './setting-list.ts';
import type { referenceTexts } from './texts.ts';

/** A page of the docs: a document of the repository, or a list generated from a table of the code. */
export type DocsPage = Position & (WrittenPage | EnglishPage | GeneratedPage);

interface Position {
  /** `/docs/{slug}`. */
  readonly slug: string;
  readonly group: 'start' | 'guide' | 'reference';
}

/** A document in both languages. */
interface WrittenPage {
  readonly kind: 'written';
  readonly files: Readonly<Record<Language, string>>;
}

/** A document that exists in English only. Its title and lead are in both languages. */
interface EnglishPage {
  readonly kind: 'english';
  readonly file: string;
  readonly words: 'sdk' | 'commands' | 'changelog' | 'measured';
}

interface GeneratedPage {
  readonly kind: 'generated';
  /** File of the repository with the same content. Links to it lead to the page. */
  readonly file: string;
  readonly render: (language: Language, axes: readonly AxisChoice[]) => Html;
}

/** Every page, in reading order. */
export const docsPages: readonly DocsPage[] = [
  writtenPage('quick-start', 'start'),
  writtenPage('read', 'guide'),
  writtenPage('ask', 'guide'),
  writtenPage('agents', 'guide'),
  writtenPage('analysis', 'guide'),
  writtenPage('platform', 'guide'),
  {
    slug: 'members',
    group: 'guide',
    kind: 'written',
    files: { ko: 'docs/ko/members.md', en: 'docs/members.md' },
  },
  writtenPage('shop', 'guide'),
  writtenPage('shop-php', 'guide'),
  writtenPage('hooks', 'guide'),
  writtenPage('collect', 'guide'),
  writtenPage('production', 'guide'),
  writtenPage('machines', 'guide'),
  writtenPage('cluster', 'guide'),
  writtenPage('assumptions', 'reference'),
  generatedPage('lookup-api', 'src/contract/lookup.ts', lookupReference),
  generatedPage('members-api', 'src/contract/members.ts', memberReference),
  englishPage('sdk', 'sdk/README.md'),
  generatedPage('problems', 'docs/problems.md', problemList),
  generatedPage('settings', 'docs/settings.md', settingList),
  englishPage('commands', 'docs/commands.md'),
  englishPage('measured', 'bench/README.md'),
  englishPage('changelog', 'CHANGELOG.md'),
];

function writtenPage(slug: string, group: Position['group']): DocsPage {
  return {
    slug,
    group,
    kind: 'written',
    files: { ko: `docs/ko/${slug}.md`, en: `docs/en/${slug}.md` },
  };
}

function generatedPage(slug: string, file: string, render: GeneratedPage['render']): DocsPage {
  return { slug, group: 'reference', kind: 'generated', file, render };
}

function englishPage(words: EnglishPage['words'] & keyof typeof referenceTexts.ko, file: string) {
  return { slug: words, group: 'reference', kind: 'english', file, words } as const;
}
