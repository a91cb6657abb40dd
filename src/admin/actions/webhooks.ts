import type { adminContract } from '../../contract/admin.ts';
import { webhookTypes } from '../../contract/enumerations.ts';
import { Problem } from '../../kernel/problem.ts';
import { replayMessage } from '../../members/webhook-delivery.ts';
import {
  addWebhookEndpoint,
  removeWebhookEndpoint,
  setWebhookDisabled,
} from '../../members/webhooks.ts';
import { actingOperator, type AdminCall } from '../api/call.ts';
import { serviceReads } from '../api/service.ts';
import { optionsOf } from '../pages/form.ts';
import { secretPage } from '../pages/secret.ts';
import { words } from '../pages/words.ts';
import { okAfter, type Actions, type ActionTarget } from './action.ts';

const endpointTarget: ActionTarget = {
  name: 'id',
  label: { ko: '웹훅', en: 'Webhook' },
  async facts(view, id) {
    const { endpoints } = await serviceReads.webhooks({
      ...view,
      parameters: { before: undefined },
    });
    return [[view.text('주소', 'URL'), endpoints.find((one) => one.id === id)?.url ?? '–']];
  },
};
const returnToWebhooks = { returnPath: () => '/webhooks' };

export const webhookActions = {
  addWebhook: {
    ...returnToWebhooks,
    async run(call) {
      const { url, types, platform = null } = call.body;
      const endpoint = await addWebhookEndpoint(
        call.context,
        url.trim(),
        types,
        actingOperator(call),
        // In the form, the choice of all members is an empty string.
        platform === '' ? null : platform,
      );
      return { id: endpoint.id, secret: endpoint.secret };
    },
    fields: async (view, input) => [
      {
        name: 'platform',
        label: view.text('대상 회원', 'Members'),
        kind: 'choice',
        values: [input.get('platform') ?? ''],
        isOptional: true,
        options: [
          { value: '', label: view.text('모든 회원 (운영자용)', 'All members (for the operator)') },
          ...(await serviceReads.platforms(view)).items.map(({ code, name }) => ({
            value: code,
            label: view.text(`${code} (${name})의 회원`, `Members of ${code} (${name})`),
          })),
        ],
      },
      {
        name: 'url',
        label: view.text('주소', 'URL'),
        pattern: 'https://.+',
        hint: view.text(
          'https://로 시작하는, 인터넷에서 접속할 수 있는 주소',
          'An https:// address that is reachable from the internet',
        ),
      },
      {
        name: 'types',
        label: view.text('보낼 메시지', 'Messages to send'),
        kind: 'checks',
        values: webhookTypes,
        options: optionsOf(view, webhookTypes, words.webhook),
      },
    ],
    effect: {
      ko: '앞으로 생기는 일을 이 주소로 알립니다. 서명 비밀키는 다음 화면에 한 번만 나옵니다.',
      en: 'Sends messages to this address from now on. The signing secret is shown once, on the next page.',
    },
    notice: { ko: '웹훅을 추가했습니다.', en: 'The webhook was added.' },
    resultPage: (view, { secret }) =>
      secretPage(view, view.text('서명 비밀키', 'Signing secret'), secret),
    auditLabels: { webhook_added: { ko: '웹훅 추가', en: 'Webhook added' } },
  },

  disableWebhook: {
    ...returnToWebhooks,
    target: endpointTarget,
    isDangerous: true,
    run: (call) => switchWebhook(call, true),
    effect: {
      ko: '대기 중인 메시지는 남겨 두고, 새 메시지는 만들지 않습니다. 중지한 동안 생긴 일은 나중에도 보내지 않습니다.',
      en: 'Keeps the waiting messages and creates no new ones. Events that happen meanwhile are never sent.',
    },
    notice: { ko: '웹훅을 중지했습니다.', en: 'The webhook was disabled.' },
    auditLabels: { webhook_disabled: { ko: '웹훅 중지', en: 'Webhook disabled' } },
  },

  enableWebhook: {
    ...returnToWebhooks,
    target: endpointTarget,
    run: (call) => switchWebhook(call, false),
    effect: {
      ko: '대기 중인 메시지부터 다시 보냅니다.',
      en: 'Resumes sending, with the waiting messages first.',
    },
    notice: { ko: '웹훅을 다시 시작했습니다.', en: 'The webhook was enabled.' },
    auditLabels: { webhook_enabled: { ko: '웹훅 재개', en: 'Webhook enabled' } },
  },

  removeWebhook: {
    ...returnToWebhooks,
    target: endpointTarget,
    isDangerous: true,
    run: (call) => {
      const operator = actingOperator(call);
      return okAfter(removeWebhookEndpoint(call.context, call.parameters.id, operator));
    },
    effect: {
      ko: '중지한 웹훅을 메시지와 함께 삭제합니다. 되돌릴 수 없습니다.',
      en: 'Removes a disabled webhook with its messages. This cannot be undone.',
    },
    notice: { ko: '웹훅을 삭제했습니다.', en: 'The webhook was removed.' },
    auditLabels: { webhook_removed: { ko: '웹훅 삭제', en: 'Webhook removed' } },
  },

  replayMessage: {
    ...returnToWebhooks,
    target: { name: 'id', label: { ko: '메시지 번호', en: 'Message' } },
    async run(call) {
      const id = Number(call.parameters.id);
      const operator = actingOperator(call);
      const isFound = Number.isSafeInteger(id) && (await replayMessage(call.context, id, operator));
      if (!isFound) throw unknownMessage();
      return { ok: true };
    },
    effect: {
      ko: '같은 내용을 같은 webhook-id로 몇 초 안에 다시 보냅니다. 받는 서버는 webhook-id로 중복을 가려냅니다.',
      en: 'Sends the same body again within seconds, under the same webhook-id, so that receivers can recognise the duplicate.',
    },
    notice: { ko: '메시지를 곧 다시 보냅니다.', en: 'The message will be sent again shortly.' },
    auditLabels: {
      webhook_replayed: { ko: '웹훅 메시지 재전송', en: 'Webhook message sent again' },
    },
  },
} as const satisfies Partial<Actions>;

function switchWebhook(call: AdminCall<typeof adminContract.disableWebhook>, disabled: boolean) {
  const id = call.parameters.id;
  return okAfter(setWebhookDisabled(call.context, id, disabled, actingOperator(call)));
}

function unknownMessage(): Problem {
  return new Problem('not_found', {
    ko: '이 번호의 메시지가 없습니다. 웹훅 화면에서 번호를 확인하세요.',
    en: 'There is no message with this id. Look it up on the page of the webhooks.',
  });
}
