import { endManySessions } from '../../members/end-sessions.ts';
import { actingOperator } from '../api/call.ts';
import { serviceReads } from '../api/service.ts';
import type { FormField } from '../pages/form.ts';
import type { View } from '../pages/view.ts';
import { okAfter, type Actions } from './action.ts';

export const sessionActions = {
  endManySessions: {
    run: (call) => okAfter(endManySessions(call.context, call.body, actingOperator(call))),
    fields: scopeFields,
    isDangerous: true,
    effect: {
      ko: '발급한 세션이 다음 요청부터 끝납니다. 회원들은 다시 로그인해야 합니다. 되돌릴 수 없습니다.',
      en: 'The sessions end with the next request, and their members must log in again. This cannot be undone.',
    },
    button: { ko: '세션 종료', en: 'End sessions' },
    returnPath: () => '/platforms',
    notice: { ko: '세션을 종료했습니다.', en: 'The sessions have ended.' },
    auditLabels: { sessions_ended: { ko: '세션 일괄 종료', en: 'Sessions of many members ended' } },
  },
} as const satisfies Partial<Actions>;

async function scopeFields(view: View, input: URLSearchParams): Promise<readonly FormField[]> {
  const { text } = view;
  const { items } = await serviceReads.platforms(view);
  const code = input.get('platform') ?? '';
  return [
    {
      name: 'scope',
      label: text('범위', 'Scope'),
      kind: 'choice',
      values: [code === '' ? 'all' : 'platform'],
      options: [
        { value: 'all', label: text('모든 플랫폼', 'All platforms') },
        { value: 'platform', label: text('플랫폼 하나', 'One platform') },
      ],
    },
    {
      name: 'platform',
      label: text('플랫폼', 'Platform'),
      kind: 'choice',
      values: [code],
      isOptional: true,
      options: [
        { value: '', label: '–' },
        ...items.map((platform) => ({ value: platform.code, label: platform.code })),
      ],
    },
    {
      name: 'before',
      label: text('이 시각 전에 발급한 세션만', 'Only sessions issued before'),
      isOptional: true,
      hint: text(
        '비워 두면 모두 종료합니다. 예: 2026-11-22T09:00:00+09:00',
        'Leave it empty to end all. Example: 2026-11-22T09:00:00+09:00',
      ),
    },
  ];
}
