import type { Axis, Field } from '../../data/axis.ts';
import { unspacedText } from '../../data/korean/normalise.ts';
import type { SearchTerm } from '../../data/korean/terms.ts';
import { runSteps } from '../../kernel/run-steps.ts';
import { JoinedTexts } from './joined-texts.ts';
import { RecentTerms } from './recent-terms.ts';
import { SubjectsByAxis, type FoundSubject, type Subject } from './subjects.ts';
import { titleSynonyms } from './title-synonyms.ts';

/** The subjects of datasets: words of a title, or of a label that few datasets have. Blanks do not count. */
export class Topics {
  readonly #codes: readonly string[];
  readonly #titles: JoinedTexts;
  readonly #providers: JoinedTexts;
  /** Positions of the datasets that have a label which few others have. */
  readonly #labels: ReadonlyMap<string, readonly number[]>;
  readonly #positions: ReadonlyMap<string, number>;
  readonly #subjects = new RecentTerms(
    subjectsBytesMax,
    (terms) => this.#findSubjects(terms),
    ({ bytes }) => bytes,
  );

  /** Reads the subjects in steps. */
  static *of(axes: Iterable<DescribedAxis>): Generator<void, Topics> {
    return new Topics(axes, yield* readTexts(axes));
  }

  constructor(axes: Iterable<DescribedAxis>, texts = runSteps(readTexts(axes))) {
    const { codes, titles, providers, labels } = texts;
    this.#codes = codes;
    this.#positions = new Map(codes.map((code, position) => [code, position]));
    this.#titles = new JoinedTexts(titles);
    this.#providers = new JoinedTexts(providers);
    const commonMin = Math.max(commonLabelsMin, codes.length * commonLabelShare);
    for (const [label, places] of labels) if (places.length > commonMin) labels.delete(label);
    this.#labels = labels;
  }

  /** Subjects of the datasets that are about terms of a query, by the code of the axis. */
  subjectsOf(terms: readonly SearchTerm[]): SubjectsByAxis {
    return this.#subjects.valueOf(terms);
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
    const at = this.#positions.get(code);
    if (at === undefined || !isSubjectWord(word)) return false;
    return this.#titles.text(at).includes(word) || this.#labels.get(word)?.includes(at) === true;
  }

  #findSubjects(terms: readonly SearchTerm[]): SubjectsByAxis {
    const found: FoundSubject[] = [];
    const add = (term: number, subject: Subject, places: readonly number[]): void => {
      if (places.length > 0) found.push({ term, subject, places });
    };
    const synonyms = titleSynonyms(terms);
    for (const [term, { text: word, phrase }] of terms.entries()) {
      if (phrase) continue;
      // A short word has synonyms that are longer: 전기차 for EV.
      if (isSubjectWord(word))
        add(term, { kind: 'title', text: word }, this.#titles.containing(word));
      for (const text of synonyms[term]!)
        add(term, { kind: 'synonym', text }, this.#titlesWith(text));
      add(term, { kind: 'label', text: word }, this.#labels.get(word) ?? []);
    }
    return new SubjectsByAxis(this.#codes, this.#positions, found);
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

/** A query about each of a hundred thousand datasets takes a sixteenth. */
const subjectsBytesMax = 1 << 24;

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
