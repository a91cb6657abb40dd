import { keysPage, platformsPage } from './access.ts';
import { memberPage, membersPage } from './members.ts';
import { overviewPage } from './overview.ts';
import { auditPage, jobsPage } from './records.ts';
import type { Page } from './view.ts';
import { webhooksPage } from './webhooks.ts';

/** The operator's pages by path. */
export const adminPages: Readonly<Record<string, Page>> = {
  '/': overviewPage,
  '/members': membersPage,
  '/members/{svc_uid}': memberPage,
  '/platforms': platformsPage,
  '/keys': keysPage,
  '/webhooks': webhooksPage,
  '/jobs': jobsPage,
  '/audit': auditPage,
};
