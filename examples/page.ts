import type { Account } from './accounts.ts';

/** The page of a platform: the signed-in user, and forms to sign up, log in and log out. */
export function platformPage(platform: string, scriptUrl: string, account: Account | null): string {
  const forms = ['signup', 'login']
    .map(
      (action) =>
        `<form method="post" action="/${action}"><input name="email" type="email"> <input name="password" type="password"> <button>${action}</button></form>`,
    )
    .join('\n');
  const main =
    account === null
      ? forms
      : `<p id="account">${escapeHtml(account.email)}</p>
<p id="member">${account.svcUid ?? 'not registered yet'}</p>
<form method="post" action="/logout"><button>logout</button></form>`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${escapeHtml(platform)}</title>
<script src="${escapeHtml(scriptUrl)}"></script>
<h1>${escapeHtml(platform)}</h1>
${main}
</html>`;
}

function escapeHtml(text: string): string {
  const names: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text.replace(/[&<>"]/g, (character) => names[character]!);
}
