import { createPageSvc, type Page, type PageSvc, type ScriptElement } from './page-svc.ts';

declare const window: Page & { svc?: PageSvc };
declare const document: {
  readonly currentScript: ScriptElement | null;
  querySelector(selector: string): ScriptElement | null;
};

// There is no current script when it is loaded as a module.
const script = document.currentScript ?? document.querySelector('script[src*="/sdk.js"]');
// A page that loads it twice keeps the first, which may have undelivered events.
if (script !== null) window.svc ??= createPageSvc(window, script);
