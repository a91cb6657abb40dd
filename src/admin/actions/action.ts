import type { adminContract } from '../../contract/admin.ts';
import type { BilingualText } from '../../contract/language.ts';
import type { Html } from '../../web/html.ts';
import type { Answer } from '../../contract/route.ts';
import type { AdminCall, AdminRouteName } from '../api/call.ts';
import type { FormField } from '../pages/form.ts';
import type { Facts } from '../pages/table.ts';
import type { View } from '../pages/view.ts';

/**
 * An operator action that changes or reveals data: the handler of the contract's row of the same name, and the page
 * that explains it, takes a reason and confirms it. The row's purpose is its title.
 */
export interface Action<Name extends AdminRouteName = AdminRouteName> {
  run(call: AdminCall<Row<Name>>): Promise<Answer<Row<Name>>>;
  readonly target?: ActionTarget;
  readonly fields?: (view: View, given: URLSearchParams) => Promise<readonly FormField[]>;
  /** The consequences, shown above the button. */
  readonly effect: BilingualText;
  /** Label of the button; the title without it. */
  readonly button?: BilingualText;
  readonly isDangerous?: boolean;
  /** Irreversible: the operator types the target's id again. */
  readonly isTyped?: boolean;
  /** Path of the page to return to. */
  readonly back: (target: string) => string;
  /** Notice on that page. */
  readonly done: BilingualText;
  /** Page of the answer to a dry run, which the first submission of such an action is. */
  preview?(view: View, answer: Answer<Row<Name>>, given: URLSearchParams): Html;
  /** Page of the answer, where there is something to read. */
  result?(view: View, answer: Answer<Row<Name>>): Html;
  /** Page to continue on, where it is not `back`. */
  next?(answer: Answer<Row<Name>>): string;
  /** Labels of the entries it makes in the audit log. */
  readonly audited: Readonly<Record<string, BilingualText>>;
}

/** The object of an action, given in the link to its page. */
export interface ActionTarget {
  /** Its parameter in the path or the body. */
  readonly name: string;
  readonly label: BilingualText;
  /** Further facts by which an operator recognises a mistake. */
  readonly facts?: (view: View, id: string) => Promise<Facts>;
}

/** Actions, by the names of their rows. */
export type Actions = { readonly [Name in AdminRouteName]: Action<Name> };

type Row<Name extends AdminRouteName> = (typeof adminContract)[Name];

/** Answer of an action that has no other. */
export async function ok(work: Promise<void>): Promise<{ readonly ok: true }> {
  await work;
  return { ok: true };
}
