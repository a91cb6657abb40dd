import type { Axis, Field } from '../../data/axis.ts';
import { unspacedText } from '../../data/korean/normalise.ts';
import type { SearchTerm } from '../../data/korean/terms.ts';
import { runSteps } from '../../kernel/run-steps.ts';
import { JoinedTexts } from './joined-texts.ts';
import { RecentTerms } from './recent-terms.ts';
import { titleSynonyms } from './title-synonyms.ts';

/** The subjects of datasets: words of a title, or of a label that few datasets have. Blanks do not count. */
export class Topics {
  readonly #codes: readonly string[];
  readonly #titles: JoinedTexts;
  readonly #providers: JoinedTexts;
  /** Positions of the datasets that have a label which few others have. */
  readonly #labels: ReadonlyMap<string, readonly number[]>;
  readonly #subjects = new RecentTerms(
    subjectsBytesMax,
    (terms) => this.#findSubjects(terms),
    ({ size }) => queryBytes + size * subjectBytes,
  );

  /** Reads the subjects in steps. */
  static *of(axes: Iterable<DescribedAxis>): Generator<void, Topics> {
    return new Topics(axes, yield* readTexts(axes));
  }

  constructor(axes: Iterable<DescribedAxis>, texts = runSteps(readTexts(axes))) {
    const { codes, titles, providers, labels } = texts;
    this.#codes = codes;
    this.#titles = new JoinedTexts(titles);
    this.#providers = new JoinedTexts(providers);
    const commonMin = Math.max(commonLabelsMin, codes.length * commonLabelShare);
    for (const [label, places] of labels) if (places.length > commonMin) labels.delete(label);
    this.#labels = labels;
  }

  /** Subjects of the datasets that are about terms of a query, by the code of the axis. */
  subjectsOf(terms: readonly SearchTerm[]): ReadonlyMap<string, Subjects> {
    return terms.length === 0 ? noSubjects : this.#subjects.valueOf(terms);
  }

  /** Axes whose provider’s name has terms of at least two letters, with a bit for the position of each. */
  providersWith(terms: readonly SearchTerm[]): ReadonlyMap<string, number> {
    const found = new Map<string, number>();
    for (const [position, { text }] of terms.entries()) {
      if (text.length < 2) continue;
      for (const at of this.#providers.containing(unspacedText(text))) {
        const code = this.#codes[at]!;
        found.set(code, (found.get(code) ?? 0) | (1 << position));
      }
    }
    return found;
  }

  /** True if a word stands in the title of an axis, or is a label of its own. */
  isAbout(code: string, word: string): boolean {
    const at = this.#codes.indexOf(code);
    if (!isSubjectWord(word)) return false;
    return this.#titles.text(at).includes(word) || this.#labels.get(word)?.includes(at) === true;
  }

  #findSubjects(terms: readonly SearchTerm[]): ReadonlyMap<string, Subjects> {
    const found = new Map<string, { fulfilled: number; byTerm: (Subject | undefined)[] }>();
    const add = (at: number, position: number, subject: Subject): void => {
      const code = this.#codes[at]!;
      let subjects = found.get(code);
      if (subjects === undefined) found.set(code, (subjects = { fulfilled: 0, byTerm: [] }));
      subjects.byTerm[position] ??= subject;
      subjects.fulfilled |= 1 << position;
    };
    const synonyms = titleSynonyms(terms);
    for (const [position, { text: word, phrase }] of terms.entries()) {
      if (phrase) continue;
      // A short word has synonyms that are longer: 전기차 for EV.
      for (const at of isSubjectWord(word) ? this.#titles.containing(word) : [])
        add(at, position, { kind: 'title', text: word });
      for (const text of synonyms[position]!) {
        for (const at of this.#titlesWith(text)) add(at, position, { kind: 'synonym', text });
      }
      for (const at of this.#labels.get(word) ?? [])
        add(at, position, { kind: 'label', text: word });
    }
    return found;
  }

  /** Titles with a synonym; a short one such as `ev` only as a word, since its letters are in many others (`elevator`). */
  #titlesWith(synonym: string): readonly number[] {
    const places = this.#titles.containing(synonym);
    if (isSubjectWord(synonym)) return places;
    const asWord = new RegExp(`(?<![a-z])${RegExp.escape(synonym)}(?![a-z])`);
    return places.filter((at) => asWord.test(this.#titles.text(at)));
  }
}

interface SubjectTexts {
  readonly codes: string[];
  readonly titles: string[];
  readonly providers: string[];
  /** Positions of the datasets with each label. */
  readonly labels: Map<string, number[]>;
}

function* readTexts(axes: Iterable<DescribedAxis>): Generator<void, SubjectTexts> {
  const texts: SubjectTexts = { codes: [], titles: [], providers: [], labels: new Map() };
  for (const stored of axes) {
    const at = texts.codes.length;
    const { code, title, provider } = stored.axis;
    texts.codes.push(code);
    texts.titles.push(unspacedText(title));
    texts.providers.push(unspacedText(provider?.name ?? ''));
    for (const label of labelsOf(stored)) {
      const places = texts.labels.get(label);
      if (places === undefined) texts.labels.set(label, [at]);
      else places.push(at);
    }
    if (at % axesPerStep === 0) yield;
  }
  return texts;
}

const axesPerStep = 256;

/** A query with a word of ten thousand titles takes an eighth. */
const subjectsBytesMax = 1 << 24;
/** Estimated bytes of the subjects of a dataset, and of a query. */
const subjectBytes = 200;
const queryBytes = 500;

const noSubjects: ReadonlyMap<string, Subjects> = new Map();

/** The parts of a dataset’s description that make it about terms of a query. */
interface Subjects {
  /** Terms that it is about, a bit each by their position. */
  readonly fulfilled: number;
  /** By the position of the term. */
  readonly byTerm: readonly (Subject | undefined)[];
}

/** Part of a dataset’s description that has a word of a query. */
export type SubjectKind = 'title' | 'synonym' | 'label';

export interface Subject {
  readonly kind: SubjectKind;
  /** The word or label that was found, without blanks. */
  readonly text: string;
}

/** An axis with what its subjects are read from. */
interface DescribedAxis {
  readonly axis: Pick<Axis, 'code' | 'title' | 'provider'>;
  readonly fields: readonly Pick<Field, 'label'>[];
  /** Labels of the fields, of an axis whose fields are not in memory. */
  readonly labels?: readonly string[];
}

/** A label that more datasets have, such as 주소, is not a subject. */
const commonLabelShare = 0.1;
/** Among few stored datasets a label of two is still their own. */
const commonLabelsMin = 2;

function labelsOf(stored: DescribedAxis): string[] {
  const labels = stored.labels ?? stored.fields.map(({ label }) => label);
  return [...new Set(labels.map(unspacedText))];
}

/** True for words of at least two syllables, or three Latin letters or digits. */
function isSubjectWord(word: string): boolean {
  return word.length >= (/^[\x21-\x7e]*$/.test(word) ? 3 : 2);
}
