import { mergeAnswer } from './admin-schemas.ts';
import { action } from './operator-route.ts';
import { Type } from './type.ts';

/** Rows of the operator's interface that merge members and undo merges. */
export const operatorMergeRoutes = {
  merge: action(
    '/api/merges',
    { ko: '회원 병합', en: 'Merge members' },
    {
      body: {
        from: Type.String(),
        into: Type.String(),
        same_person: Type.Optional(Type.Boolean()),
        dry_run: Type.Optional(Type.Boolean()),
      },
      answer: mergeAnswer,
      problems: ['member_not_found', 'accounts_on_one_platform', 'merge_impossible'],
    },
  ),
  split: action(
    '/api/merges/{merge_id}/split',
    { ko: '병합 취소', en: 'Undo the merge' },
    {
      body: { dry_run: Type.Optional(Type.Boolean()) },
      answer: mergeAnswer,
      problems: ['merge_impossible'],
    },
  ),
} as const;
