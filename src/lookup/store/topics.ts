import type { Axis, Field } from '../../data/axis.ts';
import { unspacedText } from '../../data/korean/normalise.ts';
import { synonymsOf } from '../../data/korean/synonyms.ts';
import type { SearchTerm } from '../../data/korean/terms.ts';

/** The subjects of datasets: words of a title, or of a label that few datasets have. Blanks do not count. */
export class Topics {
  readonly #topics: ReadonlyMap<string, Topic>;

  constructor(axes: Iterable<DescribedAxis>) {
    const labelsByAxis = new Map([...axes].map((stored) => [stored, labelsOf(stored)] as const));
    const counts = countEach([...labelsByAxis.values()].flat());
    const commonMin = Math.max(commonLabelsMin, labelsByAxis.size * commonLabelShare);
    this.#topics = new Map(
      [...labelsByAxis].map(([{ axis }, labels]) => [
        axis.code,
        {
          title: unspacedText(axis.title),
          provider: unspacedText(axis.provider?.name ?? ''),
          labels: labels.filter((label) => counts.get(label)! <= commonMin),
        },
      ]),
    );
  }

  /** Terms that the dataset of an axis is about, a bit each by their position. */
  givenTerms(code: string, terms: readonly SearchTerm[]): number {
    let given = 0;
    for (const [position, term] of terms.entries()) {
      if (this.subjectOf(code, term) !== null) given |= 1 << position;
    }
    return given;
  }

  /** True if the name of a dataset’s provider has a term of at least two units. */
  isFromProvider(code: string, { text }: SearchTerm): boolean {
    return text.length >= 2 && this.#topics.get(code)!.provider.includes(unspacedText(text));
  }

  /** The part of a dataset’s description that makes it about a term; null if none does. */
  subjectOf(code: string, term: SearchTerm): Subject | null {
    const topic = this.#topics.get(code);
    const word = term.phrase ? '' : term.text;
    if (topic === undefined || !isSubjectWord(word)) return null;
    if (topic.title.includes(word)) return { kind: 'title', text: word };
    const synonym = synonymsOf(word).find((one) => topic.title.includes(one));
    if (synonym !== undefined) return { kind: 'synonym', text: synonym };
    const label = topic.labels.find((one) => one === word);
    return label === undefined ? null : { kind: 'label', text: label };
  }
}

/** Part of a dataset’s description that has a word of a query. */
export type SubjectKind = 'title' | 'synonym' | 'label';

interface Subject {
  readonly kind: SubjectKind;
  /** The word or label that was found, without blanks. */
  readonly text: string;
}

/** An axis with what its subjects are read from. */
interface DescribedAxis {
  readonly axis: Pick<Axis, 'code' | 'title' | 'provider'>;
  readonly fields: readonly Pick<Field, 'label'>[];
}

interface Topic {
  readonly title: string;
  readonly provider: string;
  readonly labels: readonly string[];
}

/** A label that more datasets have is no subject, such as 주소. */
const commonLabelShare = 0.1;
/** Among few stored datasets a label of two is still their own. */
const commonLabelsMin = 2;

function labelsOf({ fields }: DescribedAxis): string[] {
  return [...new Set(fields.map(({ label }) => unspacedText(label)))];
}

/** True for words of at least two syllables, or three Latin letters or digits. */
function isSubjectWord(word: string): boolean {
  return word.length >= (/^[\x21-\x7e]*$/.test(word) ? 3 : 2);
}

function countEach(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}
