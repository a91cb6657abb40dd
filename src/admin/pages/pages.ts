import type { OperatorRole } from '../../contract/enumerations.ts';
import { accessLogPage } from './access-log.ts';
import { accountPage } from './account.ts';
import { auditPage } from './audit.ts';
import { flowsPage } from './flows.ts';
import { healthPage } from './health.ts';
import { consentsPage } from './consents.ts';
import { keysPage } from './keys.ts';
import { memberPage, membersPage } from './members.ts';
import { operatorsPage } from './operators.ts';
import { overviewPage } from './overview.ts';
import { platformsPage } from './platforms.ts';
import { systemPage } from './system.ts';
import type { Page } from './view.ts';
import { webhooksPage } from './webhooks.ts';

/** The operator's pages by path. */
export const adminPages: Readonly<Record<string, Page>> = {
  '/': overviewPage,
  '/health': healthPage,
  '/flows': flowsPage,
  '/members': membersPage,
  '/members/{svc_uid}': memberPage,
  '/platforms': platformsPage,
  '/consents': consentsPage,
  '/keys': keysPage,
  '/webhooks': webhooksPage,
  '/system': systemPage,
  '/audit': auditPage,
  '/access-log': accessLogPage,
  '/operators': operatorsPage,
  '/account': accountPage,
};

/** The role that a page needs at least. */
export function roleOfPage(path: string): OperatorRole {
  return restricted[path] ?? 'view';
}

const restricted: Readonly<Record<string, OperatorRole>> = {
  '/access-log': 'privacy',
  '/operators': 'owner',
};
