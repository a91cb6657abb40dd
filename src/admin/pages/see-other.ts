import { redirect, type Content } from '../../kernel/http/result.ts';

/** Redirect after a form, so that a reload repeats no action. */
export function seeOther(path: string, cookies: readonly string[] = []): Content {
  return redirect(path, { status: 303, cookies });
}
