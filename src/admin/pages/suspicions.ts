import type { View } from './view.ts';

/** Attacks that the service suspected in the last seven days, from the audit log: one text for each key or operator. */
export async function auditedSuspicions({
  context,
  text,
}: Pick<View, 'context' | 'text'>): Promise<readonly string[]> {
  const { audit } = context.store.read;
  const end = (await audit.head())?.seq ?? 0;
  const from = { seq: end - rowsMax, at: context.now() - periodMs };
  const rows = await audit.latestOf(Object.keys(texts), from, suspicionsMax);
  const found = rows.map(({ action, subject }) => {
    const [ko, en] = texts[action]!(subject.replace(/^operator:/, ''));
    return text(ko, en);
  });
  return [...new Set(found)];
}

const periodMs = 7 * 86_400_000;
/** Rows at the end of the log that are searched. */
const rowsMax = 20_000;
const suspicionsMax = 20;

/** Texts in Korean and English, by the action of the audit log. */
const texts: Readonly<Record<string, (subject: string) => readonly [ko: string, en: string]>> = {
  passkey_copy_suspected: (operator) => [
    `운영자 ${operator}의 패스키가 복제되었을 수 있습니다. 그 패스키를 삭제하고 새로 추가하게 하세요.`,
    `A passkey of ${operator} may have been copied. Have it removed and a new one added.`,
  ],
  enumeration_suspected: (key) => [
    `API 키 ${key}로 없는 회원을 많이 조회했습니다. 플랫폼에 용도를 확인하세요.`,
    `API key ${key} looked up many users that are not members. Check its use with the platform.`,
  ],
  asserted_links_suspected: (key) => [
    `API 키 ${key}로 다른 플랫폼 회원의 미확인 이메일을 많이 등록했습니다. 플랫폼에 용도를 확인하세요.`,
    `API key ${key} registered many unverified addresses of members of other platforms. Check its use with the platform.`,
  ],
};
