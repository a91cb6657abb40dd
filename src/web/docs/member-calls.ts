import type { GuardedRoute } from '../../contract/route.ts';
import { membersContract } from '../../contract/members.ts';

/** A curl command for an operation of the members service. A test runs every one. */
export function memberCall(name: keyof typeof membersContract): string {
  const { method, path, callers }: GuardedRoute = membersContract[name];
  const body = bodies[name];
  const address =
    membersAddress +
    path
      .replace('{svc_uid}', '$UID')
      .replace('{platform}', 'demo')
      .replace('{code}', 'archive')
      .replace('{purpose}', 'marketing');
  // With a body curl sends POST, without one GET.
  const verb = method === (body === null ? 'GET' : 'POST') ? '' : ` -X ${method}`;
  const credentials = callers[0] === 'server' ? `-H "x-api-key: $KEY"` : pageHeaders(method);
  const lines = [`curl${verb} "${address}"`, credentials];
  if (body !== null) {
    lines.push(`-H 'content-type: application/json'`, `-d "${escapeQuotes(JSON.stringify(body))}"`);
  }
  return lines.join(' \\\n  ');
}

/** Address of the members service in documents, which the site replaces by its own. */
export const membersAddress = 'http://localhost:3000';

/** Headers of a page: its cookie, its origin, and the header that a form of another site cannot set. */
function pageHeaders(method: string): string {
  const cookie = `-b "svc_sso=$TOKEN"`;
  if (method === 'GET') return cookie;
  return `${cookie} -H 'origin: ${membersAddress}' -H 'x-svc-client: curl'`;
}

/** Escapes text for double quotes of a shell, which fills in `$UID` and `$TOKEN`. */
function escapeQuotes(text: string): string {
  return text.replaceAll('"', '\\"');
}

const user = { email: 'asha@example.com', platform: 'demo', local_user_id: 'u-1' };

/** The smallest useful body of each operation that takes one. */
const bodies: Readonly<Record<keyof typeof membersContract, object | null>> = {
  register: user,
  registerBatch: { registrations: [user, { ...user, email: 'bora@example.com' }] },
  reconcile: { hashes: ['b4c9a289323b21a01c3e940f150eb9b8c542587f1abfd8f0e1cc1ffc5e475514'] },
  changeMembership: { email: 'asha.new@example.com', expected_email: 'asha@example.com' },
  endMembership: { expected_local_user_id: 'u-1' },
  leave: { local_user_id: 'u-1' },
  exportMember: null,
  eraseMember: null,
  event: { svc_uid: '$UID', platform: 'demo', event: 'visit' },
  eventBatch: {
    events: [{ svc_uid: '$UID', platform: 'demo', event: 'purchase', event_id: 'o-1' }],
  },
  cardIssued: { svc_uid: '$UID', platform: 'demo', event_id: 'card-1' },
  issue: user,
  verify: { token: '$TOKEN' },
  revoke: { svc_uid: '$UID', scope: 'all', reason: 'requested by the member' },
  lookup: { local_user_id: 'u-1' },
  member: null,
  entitlements: null,
  grantEntitlement: { until: '2027-12-31T00:00:00+09:00' },
  revokeEntitlement: null,
  consents: null,
  giveConsent: { version: '2026-12' },
  withdrawConsent: {},
  crossPlatform: null,
  northStar: null,
  me: null,
  logout: { scope: 'one' },
};
