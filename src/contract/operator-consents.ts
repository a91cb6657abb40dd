import { withRole, action, cursor, get } from './operator-route.ts';
import { nullable } from './shapes.ts';
import { Type } from './type.ts';

/** A purpose of consents, with at most one new version of its text. */
const purposeDeclaration = {
  code: Type.String({ minLength: 1, maxLength: 64 }),
  name_ko: Type.String(),
  name_en: Type.String(),
  required: Type.Optional(Type.Boolean()),
  marketing: Type.Optional(Type.Boolean()),
  retired: Type.Optional(Type.Boolean()),
  recipient_platforms: Type.Optional(Type.Array(Type.String())),
  recipient_realms: Type.Optional(Type.Array(Type.String())),
  version: Type.Optional(Type.String()),
  text: Type.Optional(Type.String()),
  sha256: Type.Optional(Type.String()),
  effective: Type.Optional(Type.String()),
};

const purposesAnswer = Type.Object({
  items: Type.Array(
    Type.Object({
      code: Type.String(),
      name: Type.Object({ ko: Type.String(), en: Type.String() }),
      required: Type.Boolean(),
      /** True if members are reminded of their consent every two years. */
      marketing: Type.Boolean(),
      retired: Type.Boolean(),
      /** Third parties that the consent provides data to; null for none. */
      recipients: nullable(
        Type.Object({ platforms: Type.Array(Type.String()), realms: Type.Array(Type.String()) }),
      ),
      /** In the order of their effective times. */
      versions: Type.Array(
        Type.Object({
          version: Type.String(),
          /** Null if only the hash of the text was declared. */
          text: nullable(Type.String()),
          sha256: Type.String(),
          effective: Type.String(),
        }),
      ),
    }),
  ),
});

/** Consents to marketing that are two years old or more, by purpose and the oldest first. */
const dueConsentsAnswer = Type.Object({
  next_cursor: nullable(Type.String()),
  items: Type.Array(
    Type.Object({
      svc_uid: Type.String(),
      platform: Type.String(),
      local_user_id: nullable(Type.String()),
      purpose: Type.String(),
      version: nullable(Type.String()),
      given_at: Type.String(),
      due_at: Type.String(),
    }),
  ),
});

/** Routes for operators about consents: their purposes, and the reminders that are due. */
export const operatorConsentRoutes = {
  consentPurposes: get(
    '/api/consent-purposes',
    { ko: '동의 목적과 동의문 버전', en: 'Purposes of consents with the versions of their texts' },
    purposesAnswer,
  ),
  declarePurpose: withRole(
    'owner',
    action(
      '/api/consent-purposes',
      { ko: '동의 목적 추가·변경', en: 'Add or change a purpose of consents' },
      { body: purposeDeclaration },
    ),
  ),
  dueConsents: get(
    '/api/consents/due',
    {
      ko: '동의한 지 2년이 지나 재확인할 때가 된 수신동의',
      en: 'Consents to marketing that members must be reminded of after two years',
    },
    dueConsentsAnswer,
    { query: { after: cursor } },
  ),
} as const;
