import type { OperatorRole } from '../../contract/enumerations.ts';
import { accessLogPage } from './access-log.ts';
import { accountPage } from './account.ts';
import { auditPage } from './audit.ts';
import { feedPage } from './feed.ts';
import { flowsPage } from './flows.ts';
import { healthPage } from './health.ts';
import { consentsPage } from './consents.ts';
import { keysPage } from './keys.ts';
import { memberPage, membersPage } from './members.ts';
import { operatorsPage } from './operators.ts';
import { openDataPage } from './open-data.ts';
import { overviewPage } from './overview.ts';
import { platformsPage } from './platforms.ts';
import { snapshotPage } from './snapshot.ts';
import { systemPage } from './system.ts';
import type { Page } from './view.ts';
import { webhooksPage } from './webhooks.ts';

/** The operator's pages by path. */
export const adminPages: Readonly<Record<string, Page>> = {
  '/': overviewPage,
  '/feed': feedPage,
  '/health': healthPage,
  '/flows': flowsPage,
  '/members': membersPage,
  '/members/{svc_uid}': memberPage,
  '/platforms': platformsPage,
  '/consents': consentsPage,
  '/keys': keysPage,
  '/webhooks': webhooksPage,
  '/data': openDataPage,
  '/data/snapshots/{snapshot_id}': snapshotPage,
  '/system': systemPage,
  '/audit': auditPage,
  '/access-log': accessLogPage,
  '/operators': operatorsPage,
  '/account': accountPage,
};

/** The lowest role that may open a page. */
export function roleOfPage(path: string): OperatorRole {
  return restrictedPages[path] ?? 'view';
}

const restrictedPages: Readonly<Record<string, OperatorRole>> = {
  '/access-log': 'privacy',
  '/operators': 'owner',
};
