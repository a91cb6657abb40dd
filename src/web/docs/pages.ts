import type { Language } from '../../contract/language.ts';
import { lookupReference, memberReference, type AxisChoice } from './reference.ts';
import type { Html } from '../html.ts';
import { problemList } from './problem-list.ts';
import { settingList } from './setting-list.ts';
import type { referenceTexts } from './texts.ts';

/** A page of the docs: a document of the repository, or a list made from a table of the code. */
export type DocsPage = Position & (WrittenPage | EnglishPage | MadePage);

interface Position {
  /** `/docs/{slug}`. */
  readonly slug: string;
  readonly group: 'start' | 'guide' | 'reference';
}

/** Prose in both languages. */
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

interface MadePage {
  readonly kind: 'made';
  /** Document of the repository with the same content. Links to it lead here. */
  readonly file: string;
  readonly make: (language: Language, axes: readonly AxisChoice[]) => Html;
}

/** Every page, in reading order. */
export const docsPages: readonly DocsPage[] = [
  written('quick-start', 'start'),
  written('read', 'guide'),
  written('platform', 'guide'),
  {
    slug: 'members',
    group: 'guide',
    kind: 'written',
    files: { ko: 'docs/ko/members.md', en: 'docs/members.md' },
  },
  written('hooks', 'guide'),
  written('collect', 'guide'),
  written('production', 'guide'),
  made('lookup-api', 'src/contract/lookup.ts', lookupReference),
  made('members-api', 'src/contract/members.ts', memberReference),
  english('sdk', 'sdk/README.md'),
  made('problems', 'docs/problems.md', problemList),
  made('settings', 'docs/settings.md', settingList),
  english('commands', 'docs/commands.md'),
  english('measured', 'bench/README.md'),
  english('changelog', 'CHANGELOG.md'),
];

function written(slug: string, group: Position['group']): DocsPage {
  return {
    slug,
    group,
    kind: 'written',
    files: { ko: `docs/ko/${slug}.md`, en: `docs/en/${slug}.md` },
  };
}

function made(slug: string, file: string, make: MadePage['make']): DocsPage {
  return { slug, group: 'reference', kind: 'made', file, make };
}

function english(words: EnglishPage['words'] & keyof typeof referenceTexts.ko, file: string) {
  return { slug: words, group: 'reference', kind: 'english', file, words } as const;
}
