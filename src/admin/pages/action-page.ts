import { adminContract } from '../../contract/admin.ts';
import type { Content } from '../../kernel/http/result.ts';
import { checkBody } from '../../kernel/http/check-body.ts';
import { bodyErrors, Problem } from '../../kernel/problem.ts';
import type { JsonObject } from '../../kernel/json-object.ts';
import { invalid } from '../../members/problem.ts';
import { emptyHtml } from '../../web/layout.ts';
import { html, type Html } from '../../web/html.ts';
import type { Action } from '../actions/action.ts';
import type { AdminRouteName } from '../api/call.ts';
import { actions } from '../actions/all.ts';
import { performAction } from '../actions/perform-action.ts';
import { requireRole } from '../session.ts';
import { form, hiddenField, parsedPasskey, type FormField } from './form.ts';
import { passkeyScript } from './passkey-button.ts';
import { refusalText } from './refusal.ts';
import { seeOther } from './see-other.ts';
import { facts, id } from './table.ts';
import type { PageContent, View } from './view.ts';

/** Page that explains an action and has the form for it. */
export async function actionPage(view: View): Promise<PageContent | Content> {
  const [name, action] = actionOf(view);
  requireRole(view.operator, adminContract[name].role);
  if (action.target !== undefined && targetOf(action, view.query) === '') throw noSuchPage();
  if (action.firstPath !== undefined) return seeOther(action.firstPath);
  return page(view, { main: await actionForm(view, view.query, null) });
}

/** Carries out an action with the submitted form. A refusal shows the form again, with its values. */
export async function submitAction(
  view: View,
  readForm: () => Promise<URLSearchParams>,
): Promise<PageContent | Content> {
  const [name, action] = actionOf(view);
  requireRole(view.operator, adminContract[name].role);
  const input = await readForm();
  const target = targetOf(action, input);
  try {
    if (action.isConfirmedByTyping === true && input.get('typed')?.trim() !== target)
      throw confirmationMismatch();
    const call = { ...view, ...(await readInput(view, input)) };
    const answer = await performAction(name, action, call);
    if (action.previewPage !== undefined && isDryRun(input)) {
      const main = action.previewPage(view, answer, input);
      return page(view, { main: html`${main} ${returnLink(view, returnPathOf(action, target))}` });
    }
    const next = action.nextPath?.(answer) ?? returnPathOf(action, target);
    if (action.resultPage === undefined) return seeOther(`${next}?done=${name}`);
    return page(view, {
      main: html`${action.resultPage(view, answer)} ${returnLink(view, next)}`,
    });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (action.firstPath !== undefined)
      return page(view, {
        main: refusedStepPage(view, error, action.firstPath),
        status: error.status,
      });
    return page(view, { main: await actionForm(view, input, error), status: error.status });
  }
}

/** A page of the action, under its title. */
function page(view: View, content: Omit<PageContent, 'title'>): PageContent {
  const [name, { hasPasskeys = false }] = actionOf(view);
  return { title: titleOf(view, name), script: hasPasskeys ? passkeyScript : null, ...content };
}

/** Explains the refusal of a later step, with a link to the first. */
function refusedStepPage(view: View, problem: Problem, firstPath: string): Html {
  return html`${refusalAlert(view, problem, [])}
    <p class="further"><a href="${firstPath}">${view.text('처음부터 다시', 'Start again')}</a></p>`;
}

/** Notice of the action that the query parameter `done` names; null without one. */
export function actionNotice({ query, language }: Pick<View, 'query' | 'language'>): string | null {
  const name = query.get('done') ?? '';
  return isAction(name) ? definitions[name]!.notice[language] : null;
}

const definitions: Readonly<Partial<Record<AdminRouteName, Action>>> = actions;

function isAction(name: string): name is AdminRouteName {
  return Object.hasOwn(definitions, name);
}

function actionOf({ parameters }: View): readonly [name: AdminRouteName, action: Action] {
  const name = parameters['action'] ?? '';
  if (!isAction(name)) throw noSuchPage();
  return [name, definitions[name]!];
}

function titleOf({ language }: View, name: AdminRouteName): string {
  return adminContract[name].purpose[language];
}

function targetOf({ target }: Action, input: URLSearchParams): string {
  const text = target === undefined ? '' : (input.get(target.name) ?? '');
  return (target?.pattern ?? /^[\w-]{1,64}$/).test(text) ? text : '';
}

function returnPathOf(action: Action, target: string): string {
  return target === '' && action.target !== undefined ? '/' : action.returnPath(target);
}

function isDryRun(input: URLSearchParams): boolean {
  return input.get('dry_run') !== 'false';
}

async function actionForm(
  view: View,
  input: URLSearchParams,
  problem: Problem | null,
): Promise<Html> {
  const [name, action] = actionOf(view);
  const { text, language } = view;
  const target = targetOf(action, input);
  const fields = await formFields(view, input, problem);
  return html`${problem === null ? emptyHtml : refusalAlert(view, problem, fields)}
    <p class="effect ${action.isDangerous === true ? 'danger' : ''}">${action.effect[language]}</p>
    ${action.target === undefined ? emptyHtml : facts([[action.target.label[language], (await action.target.title?.(view, target)) ?? id(target)], ...((await action.target.facts?.(view, target)) ?? [])])}
    ${form({
      action: `/actions/${name}`,
      button:
        action.previewPage === undefined
          ? (action.button?.[language] ?? titleOf(view, name))
          : text('바뀔 내용 보기', 'See the changes'),
      isDangerous: action.isDangerous === true && action.previewPage === undefined,
      fields,
      cancel: { href: returnPathOf(action, target), label: text('취소', 'Cancel') },
    })}`;
}

/**
 * Fields for the target, the action's own values, the confirmation and the reason. After a refusal they keep the
 * submitted values.
 */
async function formFields(
  view: View,
  input: URLSearchParams,
  problem: Problem | null,
): Promise<readonly FormField[]> {
  const [, action] = actionOf(view);
  const { target, isConfirmedByTyping, isWithoutReason, fields } = action;
  const errors = bodyErrors(problem);
  const ownFields = [
    ...((await fields?.(view, input)) ?? []),
    ...(isConfirmedByTyping === true ? [confirmationField(view)] : []),
    ...(isWithoutReason === true ? [] : [reasonField(view)]),
  ];
  return [
    ...(target === undefined ? [] : [hiddenField(target.name, targetOf(action, input))]),
    ...ownFields.map((field) => ({
      ...field,
      values: valuesOf(field, problem === null ? null : input),
      fault: errors.find(({ pointer }) => pointer === `/${field.name}`)?.fix[view.language],
    })),
  ];
}

/** Values that a field shows: the submitted ones after a refusal, but never a passphrase. */
function valuesOf({ name, kind, values = [] }: FormField, input: URLSearchParams | null) {
  if (kind === 'password' || kind === 'passkey') return [];
  return input === null ? values : input.getAll(name);
}

function confirmationField({ text }: View): FormField {
  return {
    name: 'typed',
    label: text(
      '확인을 위해 위의 svc_uid를 그대로 입력하세요',
      'Type the svc_uid above to confirm',
    ),
  };
}

function reasonField({ text }: View): FormField {
  return {
    name: 'reason',
    label: text('사유', 'Reason'),
    hint: text(
      '감사 기록에 남습니다. 개인정보는 적지 마세요.',
      'Recorded in the audit log. Do not include personal data.',
    ),
  };
}

/** Explains the refusal, with the errors that belong to no visible field. */
function refusalAlert(
  { text, language }: View,
  problem: Problem,
  fields: readonly FormField[],
): Html {
  const visible = fields.filter(({ kind }) => kind !== 'hidden').map(({ name }) => `/${name}`);
  return html`<div class="alert" role="alert">
    <p>
      <strong>${text('처리하지 않았습니다.', 'Nothing was changed.')}</strong>
      ${refusalText(problem, language)}
    </p>
    ${bodyErrors(problem)
      .filter(({ pointer }) => !visible.includes(pointer))
      .map(({ fix }) => html`<p>${fix[language]}</p>`)}
  </div>`;
}

/** Parameters and body of the JSON call that a form submits. Empty texts are left out. */
async function readInput(view: View, input: URLSearchParams) {
  const [name, action] = actionOf(view);
  const pathNames = Array.from(
    adminContract[name].path.matchAll(/\{(\w+)\}/g),
    ([, name]) => name!,
  );
  const fields = (await action.fields?.(view, input)) ?? [];
  const { target } = action;
  const values = fields.map((field) => [field.name, valueOf(field, input)] as const);
  const body: JsonObject = {
    ...Object.fromEntries(values.filter(([, value]) => value !== undefined)),
    ...(target === undefined || pathNames.includes(target.name)
      ? {}
      : { [target.name]: targetOf(action, input) }),
    ...(action.previewPage === undefined ? {} : { dry_run: isDryRun(input) }),
    ...(action.isWithoutReason === true ? {} : { reason: input.get('reason') ?? '' }),
  };
  const parameters = Object.fromEntries(pathNames.map((key) => [key, input.get(key) ?? '']));
  return { parameters, body: checkBody(adminContract[name], body) };
}

function valueOf({ name, kind }: FormField, input: URLSearchParams): unknown {
  const text = input.get(name) ?? '';
  if (kind === 'checks') return input.getAll(name);
  if (kind === 'passkey') return text === '' ? undefined : parsedPasskey(text);
  if (kind === 'lines') return text.split(/[\s,]+/).filter(Boolean);
  if (kind === 'flag') return text === 'true';
  return text === '' ? undefined : text;
}

function returnLink({ text }: View, href: string): Html {
  return html`<p class="further"><a href="${href}">${text('돌아가기', 'Back')}</a></p>`;
}

function confirmationMismatch(): Problem {
  return invalid(
    'validation_failed',
    '/typed',
    { ko: '입력한 svc_uid가 일치하지 않습니다.', en: 'The typed svc_uid does not match.' },
    { ko: '위의 svc_uid를 그대로 입력하세요.', en: 'Type the svc_uid exactly as shown above.' },
  );
}

function noSuchPage(): Problem {
  return new Problem('not_found', {
    ko: '없는 페이지입니다. 메뉴에서 다시 여세요.',
    en: 'There is no such page. Use the menu.',
  });
}
