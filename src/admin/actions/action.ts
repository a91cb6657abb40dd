import type { adminContract } from '../../contract/admin.ts';
import type { BilingualText } from '../../contract/language.ts';
import type { Html } from '../../web/html.ts';
import type { Answer } from '../../contract/route.ts';
import type { AdminCall, AdminRouteName } from '../api/call.ts';
import type { FormField } from '../pages/form.ts';
import type { Facts } from '../pages/table.ts';
import type { View } from '../pages/view.ts';

/**
 * An operator action that changes or reveals data. It handles the route of the same name and describes its page, on
 * which an operator gives a reason and confirms. The route's purpose is the title of the page.
 */
export interface Action<Name extends AdminRouteName = AdminRouteName> {
  run(call: AdminCall<RouteOf<Name>>): Promise<Answer<RouteOf<Name>>>;
  readonly target?: ActionTarget;
  readonly fields?: (view: View, input: URLSearchParams) => Promise<readonly FormField[]>;
  /** The consequences, shown above the button. */
  readonly effect: BilingualText;
  /** Label of the button, if it differs from the title. */
  readonly button?: BilingualText;
  readonly isDangerous?: boolean;
  /** True for an irreversible action: the operator types the target's id to confirm it. */
  readonly isConfirmedByTyping?: boolean;
  /** True for an action on the operator's own account, which is recorded without a reason. */
  readonly isWithoutReason?: boolean;
  /** True for an action whose pages have a button that creates or uses a passkey. */
  readonly hasPasskeys?: boolean;
  /**
   * For the second step of an action, which has no page of its own: path of the page of the first step. A refusal links
   * to it.
   */
  readonly firstPath?: string;
  /** Path of the page that the action was started from. */
  readonly returnPath: (target: string) => string;
  /** Notice on the page after the action. */
  readonly notice: BilingualText;
  /** Page that shows the planned changes. If present, the first submission of the form is a dry run. */
  previewPage?(view: View, answer: Answer<RouteOf<Name>>, input: URLSearchParams): Html;
  /** Page that shows the answer; without it, the action ends with a redirect. */
  resultPage?(view: View, answer: Answer<RouteOf<Name>>): Html;
  /** Path of the page after the action, if it differs from `returnPath`. */
  nextPath?(answer: Answer<RouteOf<Name>>): string;
  /** Labels of the action's entries in the audit log. */
  readonly auditLabels: Readonly<Record<string, BilingualText>>;
}

/** The thing that an action changes or reveals. Its id is in the link to the action's page. */
export interface ActionTarget {
  /** Name of the parameter with its id, in the path or the body. */
  readonly name: string;
  readonly label: BilingualText;
  /** Pattern of valid ids; by default letters, digits, `_` and `-`. */
  readonly pattern?: RegExp;
  /** Name of the target, shown instead of an id that means nothing to an operator. */
  readonly title?: (view: View, id: string) => Promise<string>;
  /** Facts about the target, which help an operator notice a wrong one. */
  readonly facts?: (view: View, id: string) => Promise<Facts>;
}

/** Actions by the names of their routes. */
export type Actions = { readonly [Name in AdminRouteName]: Action<Name> };

type RouteOf<Name extends AdminRouteName> = (typeof adminContract)[Name];

/** Answers `{"ok": true}` after the work. */
export async function okAfter(work: Promise<void>): Promise<{ readonly ok: true }> {
  await work;
  return { ok: true };
}
