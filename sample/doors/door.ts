import type { KeyDesk } from '../keys.ts';
import type { Question } from '../question.ts';
import type { Reply } from '../reply.ts';

/** One of the portal's doors beside the operations: null when the question is for another. */
export type Door = (question: Question, desk: KeyDesk) => Reply | null;
