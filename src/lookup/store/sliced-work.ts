import { Problem } from '../../kernel/problem.ts';

/** True once the client has closed the connection and waits no more. */
export type IsAbandoned = () => boolean;

/**
 * Runs work in slices between requests, so that no page waits for a search.
 *
 * Nothing runs before its turn. A turn takes the longest waiting new work or, every other time, the next of the
 * unfinished ones: short work never waits for long work, and long work always goes on. Answers are built when work
 * ends, so a turn ends there too. Work that its client has abandoned is dropped.
 */
export class SlicedWork {
  readonly #waitingMax: number;
  readonly #fresh: QueuedWork[] = [];
  readonly #unfinished: QueuedWork[] = [];
  #isRunning = false;
  #isTurnOfUnfinished = false;

  constructor(waitingMax = defaultWaitingMax) {
    this.#waitingMax = waitingMax;
  }

  /** Throws `overloaded` if too much work waits already; an `AbortError` once the work is abandoned. */
  run<Result>(steps: Generator<void, Result>, isAbandoned: IsAbandoned = never): Promise<Result> {
    if (this.#fresh.length + this.#unfinished.length >= this.#waitingMax) throw overloaded();
    return new Promise((resolve, reject) => {
      const runSlice = (): boolean => {
        const step = nextSlice(steps);
        if (step.done === true) resolve(step.value);
        return step.done === true;
      };
      this.#fresh.push({ runSlice, isAbandoned, reject });
      if (!this.#isRunning) setImmediate(this.#turn);
      this.#isRunning = true;
    });
  }

  readonly #turn = (): void => {
    const work = this.#next();
    if (work === undefined) {
      this.#isRunning = false;
      return;
    }
    try {
      if (work.isAbandoned()) throw abandoned();
      if (!work.runSlice()) this.#unfinished.push(work);
    } catch (error) {
      work.reject(error);
    }
    setImmediate(this.#turn);
  };

  #next(): QueuedWork | undefined {
    this.#isTurnOfUnfinished = !this.#isTurnOfUnfinished;
    return this.#isTurnOfUnfinished
      ? (this.#unfinished.shift() ?? this.#fresh.shift())
      : (this.#fresh.shift() ?? this.#unfinished.shift());
  }
}

interface QueuedWork {
  /** True once the work has ended. */
  readonly runSlice: () => boolean;
  readonly isAbandoned: IsAbandoned;
  readonly reject: (reason: unknown) => void;
}

/** Runs one step, and more until the slice is over. */
function nextSlice<Result>(steps: Generator<void, Result>): IteratorResult<void, Result> {
  const endMs = performance.now() + sliceMs;
  for (;;) {
    const step = steps.next();
    if (step.done === true || performance.now() > endMs) return step;
  }
}

/** Longest wait of another request, unless one step takes longer. Nearly every search ends within it. */
const sliceMs = 3;
/** About two seconds of searches on one processor; a client that waits longer has usually given up. */
const defaultWaitingMax = 512;

const never: IsAbandoned = () => false;

function abandoned(): Error {
  return new DOMException('The client closed the connection before its answer.', 'AbortError');
}

function overloaded(): Problem {
  const detail = {
    ko: '검색 요청이 몰려 받지 못했습니다. 잠시 뒤 다시 보내세요.',
    en: 'Too many searches are waiting; this one was refused. Retry shortly.',
  };
  return new Problem('overloaded', detail, { retryAfterS: 2 });
}
