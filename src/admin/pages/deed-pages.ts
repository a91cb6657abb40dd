import { adminContract } from '../../contract/admin.ts';
import { bodyErrors, Problem } from '../../kernel/problem.ts';
import { invalid } from '../../members/problem.ts';
import { nothing } from '../../web/layout.ts';
import { answerOf } from './answers.ts';
import { deeds, type Deed } from './deeds.ts';
import { form, type FormField } from './form.ts';
import type { AdminMove } from './layout.ts';
import { refusalText } from './refusal.ts';
import { badge, facts, id } from './table.ts';
import { rowsOf, textOf, textsOf, type HandlerName, type Row, type View } from './view.ts';
import { html, type Html } from '../../web/html.ts';

interface DeedPage {
  readonly title: string;
  readonly main: Html;
  readonly status?: number;
}

/** The page on which one reads what a deed does, says why, and does it. */
export async function deedPage(view: View, operation: string): Promise<DeedPage> {
  const { deed } = deedNamed(operation);
  if (deed.subject !== undefined && subjectOf(deed, view.query) === '') {
    throw new Problem('not_found', noSuchPage);
  }
  const fields = await deed.fields(view, view.query);
  return {
    title: deed.title[view.language],
    main: await deedForm(view, operation, fields, view.query, null),
  };
}

/** Does what a deed’s form asks for, by the handler of the JSON; what is refused is asked again beside what was sent. */
export async function act(
  view: View,
  operation: string,
  readForm: () => Promise<URLSearchParams>,
): Promise<DeedPage | AdminMove> {
  const { deed, name } = deedNamed(operation);
  const given = await readForm();
  const title = deed.title[view.language];
  const subject = subjectOf(deed, given);
  const fields = await deed.fields(view, given);
  try {
    if (deed.isTyped === true && given.get('typed')?.trim() !== subject) throw typedOtherwise();
    const path = adminContract[name].path;
    const names = Array.from(path.matchAll(/\{(\w+)\}/g), ([, parameter]) => parameter!);
    const answer = await view.ask(name, {
      parameters: Object.fromEntries(names.map((each) => [each, given.get(each) ?? ''])),
      body: bodyOf(deed, fields, given),
    });
    const main = answerOf(view, name, answer, given);
    if (main !== null) return { title, main: html`${main} ${wayBack(view, deed, name, subject)}` };
    // Both members of a merge are reached by the one that stays.
    const to =
      deed.isRehearsed === true ? `/members/${textOf(answer['into'])}` : deed.back(subject);
    return { to: `${to}?done=${name}` };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const again = fields.map((field) => ({ ...field, values: given.getAll(field.name) }));
    return { title, main: await deedForm(view, name, again, given, error), status: error.status };
  }
}

/** What an operator did a moment ago, as the address says that they were led to. */
export function doneText({ query, language }: View): string | null {
  const name = query.get('done') ?? '';
  return isDeed(name) ? deeds[name]!.done[language] : null;
}

async function deedForm(
  view: View,
  operation: string,
  fields: readonly FormField[],
  given: URLSearchParams,
  problem: Problem | null,
): Promise<Html> {
  const { deed } = deedNamed(operation);
  const { say, language } = view;
  const title = deed.title[language];
  const subject = subjectOf(deed, given);
  const faults = new Map(
    bodyErrors(problem).map(({ pointer, fix }) => [pointer.slice(1), fix[language]]),
  );
  const fixed = deed.subject === undefined ? [] : [hidden(deed.subject.name, subject)];
  const asked: readonly FormField[] = [
    ...fields,
    ...(deed.isTyped === true ? [typedField(view)] : []),
    {
      name: 'reason',
      label: say('이유', 'Reason'),
      hint: say(
        '감사 기록에 남습니다. 개인정보는 적지 마세요.',
        'Kept in the audit. Leave personal data out.',
      ),
      values: [problem === null ? '' : (given.get('reason') ?? '')],
    },
  ];
  return html`${problem === null ? nothing : alert(view, problem, asked)}
    <p class="effect ${deed.isDangerous === true ? 'danger' : ''}">${deed.effect[language]}</p>
    ${deed.subject === undefined ? nothing : facts(await subjectFacts(view, deed, subject))}
    ${form({
      action: `/do/${operation}`,
      button:
        deed.isRehearsed === true
          ? say('무엇이 바뀌는지 보기', 'See what would change')
          : (deed.button?.[language] ?? title),
      isDangerous: deed.isDangerous === true && deed.isRehearsed !== true,
      fields: [...fixed, ...asked.map((field) => ({ ...field, fault: faults.get(field.name) }))],
      cancel: { href: backOf(deed, subject), label: say('취소', 'Cancel') },
    })}`;
}

/** Whom or what it is done to, with enough to see a slip before it is made. */
async function subjectFacts(
  view: View,
  { subject }: Deed,
  value: string,
): Promise<readonly (readonly [string, Html | string])[]> {
  const { ask, say, language } = view;
  const first = [subject!.label[language], id(value)] as const;
  if (subject!.name === 'kid') {
    const key = rowsOf((await ask('keys'))['items']).find(({ kid }) => kid === value) ?? {};
    const whose =
      key['operator_key'] === true ? say('모든 플랫폼', 'Every platform') : key['platform'];
    return [
      first,
      [say('플랫폼', 'Platform'), textOf(whose) || '–'],
      [say('메모', 'Note'), textOf(key['label']) || '–'],
    ];
  }
  if (subject!.label.ko === '받는 곳') {
    const { endpoints } = await ask('webhooks');
    const url = rowsOf(endpoints).find((row) => row['id'] === value)?.['url'];
    return [first, [say('주소', 'Address'), textOf(url) || '–']];
  }
  if (subject!.name !== 'svc_uid' && subject!.name !== 'from') return [first];
  const member = await memberOrNothing(view, value);
  return [
    first,
    [say('이메일', 'Address'), textOf(member['email_masked']) || '–'],
    [say('플랫폼', 'Platforms'), textsOf(member['platforms']).join(', ') || '–'],
    ...(member['status'] === 'suspended'
      ? [[say('상태', 'Status'), badge(say('정지', 'Suspended'), 'bad')] as const]
      : []),
  ];
}

async function memberOrNothing({ ask }: View, uid: string): Promise<Row> {
  try {
    return await ask('member', { parameters: { svc_uid: uid } });
  } catch (error) {
    // The deed itself will say that there is none.
    if (error instanceof Problem) return {};
    throw error;
  }
}

/** What is wrong with a field is said beside it; the rest here. */
function alert({ say, language }: View, problem: Problem, fields: readonly FormField[]): Html {
  const others = bodyErrors(problem).filter(
    ({ pointer }) => !fields.some(({ name }) => `/${name}` === pointer),
  );
  return html`<div class="alert" role="alert">
    <p>
      <strong>${say('처리하지 않았습니다.', 'Nothing was done.')}</strong>
      ${refusalText(problem, language)}
    </p>
    ${others.map(({ fix }) => html`<p>${fix[language]}</p>`)}
  </div>`;
}

function typedField({ say }: View): FormField {
  return {
    name: 'typed',
    label: say('확인을 위해 위의 svc_uid를 그대로 적으세요', 'Type the svc_uid above to confirm'),
  };
}

function typedOtherwise(): Problem {
  return invalid(
    'validation_failed',
    '/typed',
    {
      ko: '확인을 위해 적은 svc_uid가 다릅니다.',
      en: 'The svc_uid typed to confirm is another one.',
    },
    { ko: '위의 svc_uid를 그대로 적으세요.', en: 'Type the svc_uid above as it is.' },
  );
}

/** What a form sends of a deed’s fields; an empty text is none, but for the reason, whose absence is refused. */
function bodyOf(deed: Deed, fields: readonly FormField[], given: URLSearchParams): Row {
  const entries = fields.map(({ name, kind }): readonly [string, unknown] => {
    const text = given.get(name) ?? '';
    if (kind === 'checks') return [name, given.getAll(name)];
    if (kind === 'lines') return [name, text.split(/[\s,]+/).filter(Boolean)];
    if (kind === 'flag') return [name, text === 'true'];
    return [name, text === '' ? undefined : text];
  });
  return {
    ...Object.fromEntries(entries.filter(([, value]) => value !== undefined)),
    ...(deed.isRehearsed === true
      ? { from: subjectOf(deed, given), dry_run: given.get('dry_run') !== 'false' }
      : {}),
    reason: given.get('reason') ?? '',
  };
}

function wayBack(view: View, deed: Deed, name: HandlerName, subject: string): Html {
  // Nothing is left of who was erased.
  const href = name === 'erase' ? '/members' : backOf(deed, subject);
  return html`<p class="further">
    <a href="${href}">${view.say('돌아가기', 'Back')}</a>
  </p>`;
}

function backOf(deed: Deed, subject: string): string {
  return subject === '' && deed.subject !== undefined ? '/' : deed.back(subject);
}

function subjectOf({ subject }: Deed, given: URLSearchParams): string {
  const text = subject === undefined ? '' : (given.get(subject.name) ?? '');
  return /^[\w-]{1,64}$/.test(text) ? text : '';
}

function hidden(name: string, value: string): FormField {
  return { name, label: '', kind: 'hidden', values: [value] };
}

function isDeed(name: string): name is HandlerName {
  return Object.hasOwn(deeds, name);
}

function deedNamed(name: string): { readonly deed: Deed; readonly name: HandlerName } {
  if (!isDeed(name)) throw new Problem('not_found', noSuchPage);
  return { deed: deeds[name]!, name };
}

const noSuchPage = { ko: '없는 화면입니다.', en: 'There is no such page.' };
