import { redirect, type Content } from '../../kernel/http/result.ts';

/** Redirect after a form was sent, so that reloading the page does not send it again. */
export function seeOther(path: string, cookies: readonly string[] = []): Content {
  return redirect(path, { status: 303, cookies });
}
