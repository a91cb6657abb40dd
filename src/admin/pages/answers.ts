import { form, type FormField } from './form.ts';
import { facts, id, moment, number } from './table.ts';
import { textOf, textsOf, type HandlerName, type Row, type View } from './view.ts';
import { html, type Html } from '../../web/html.ts';

/** What a deed answered, where there is more to it than that it was done; null where there is not. */
export function answerOf(
  view: View,
  operation: HandlerName,
  answer: Row,
  given: URLSearchParams,
): Html | null {
  const { say } = view;
  if (operation === 'reveal')
    return facts([
      [say('회원', 'Member'), id(answer['svc_uid'])],
      [say('이메일', 'Address'), textOf(answer['email'])],
    ]);
  if (operation === 'export')
    return html`<pre tabindex="0">${JSON.stringify(answer, null, 2)}</pre>`;
  if (operation === 'erase') return receipt(view, answer);
  if (operation === 'issueKey' || operation === 'rotateKey')
    return shownOnce(view, say('키', 'Key'), answer['key']);
  if (operation === 'addWebhook')
    return shownOnce(view, say('서명 비밀', 'Signing secret'), answer['secret']);
  const isPlan = operation === 'merge' || operation === 'split';
  return isPlan && given.get('dry_run') !== 'false' ? plan(view, operation, answer, given) : null;
}

function shownOnce({ say }: View, name: string, secret: unknown): Html {
  return html`<p class="notice" role="status">
      ${say(
        '지금 복사해 두세요. 이 화면을 벗어나면 다시 볼 수 없습니다.',
        'Copy it now: it cannot be seen again once you leave this page.',
      )}
    </p>
    <h2>${name}</h2>
    <pre class="secret" tabindex="0">${textOf(secret)}</pre>`;
}

function receipt({ say }: View, answer: Row): Html {
  const isOverwritten = answer['files_overwritten'] === true;
  return html`<p class="notice" role="status">
      ${say('영구 삭제했습니다.', 'The member was erased.')}
    </p>
    <h2>${say('영수증', 'Receipt')}</h2>
    ${facts([
      [say('영수증 번호', 'Receipt'), id(answer['receipt_id'])],
      [say('회원', 'Member'), id(answer['svc_uid'])],
      [say('지운 때', 'Erased at'), moment(answer['erased_at'], 'second')],
      [say('지운 연결', 'Links erased'), number(answer['memberships'])],
      [say('지운 이벤트', 'Events erased'), number(answer['events'])],
      [
        say('파일에서 덮어쓰기', 'Overwritten in the files'),
        isOverwritten ? say('마침', 'Done') : say('다음 정리 작업 때', 'By the next retention job'),
      ],
    ])}`;
}

/** What would change, with the button that changes it. */
function plan(view: View, operation: 'merge' | 'split', answer: Row, given: URLSearchParams): Html {
  const { say } = view;
  const isMerge = operation === 'merge';
  return html`<h2>${say('이렇게 바뀝니다', 'This would change')}</h2>
    ${facts([
      [
        isMerge ? say('없어질 회원', 'Goes') : say('나뉘어 나올 회원', 'Comes back'),
        id(answer['from']),
      ],
      [say('남을 회원', 'Stays'), id(answer['into'])],
      [say('옮겨질 연결', 'Links moved'), number(answer['memberships_moved'])],
      [say('끝날 세션', 'Sessions ended'), number(answer['sessions_ended'])],
      [say('플랫폼', 'Platforms'), textsOf(answer['platforms']).join(', ')],
    ])}
    ${form({
      action: `/do/${operation}`,
      button: isMerge ? say('병합', 'Merge') : say('병합 되돌리기', 'Undo the merge'),
      isDangerous: true,
      fields: [
        ...['from', 'into', 'merge_id', 'reason'].map((name) => hidden(name, given.getAll(name))),
        hidden('dry_run', ['false']),
      ],
    })}`;
}

function hidden(name: string, values: readonly string[]): FormField {
  return { name, label: '', kind: 'hidden', values };
}
