import type { MemberTransaction } from '../store/store.ts';
import { accessLogOf } from './access-log.ts';
import { assuranceOf } from './assurance.ts';
import { auditOf } from './audit.ts';
import { consentsOf } from './consents.ts';
import { entitlementsOf } from './entitlements.ts';
import { erasuresOf } from './erasures.ts';
import { eventsOf } from './events.ts';
import { jobsOf } from './jobs.ts';
import { keysOf } from './keys.ts';
import { membersOf } from './members.ts';
import { membershipsOf } from './memberships.ts';
import { mergesOf } from './merges.ts';
import { operatorsOf } from './operators.ts';
import type { Runner } from './part.ts';
import { passkeysOf } from './passkeys.ts';
import { platformsOf } from './platforms.ts';
import { sessionsOf } from './sessions.ts';
import { webhooksOf } from './webhooks.ts';

/** The tables over one way to run statements. A part uses a few of them, so each is made at its first use. */
export function tablesOver(runner: Runner): MemberTransaction {
  // The prototype has the tables.
  return new TablesOver(runner) as unknown as MemberTransaction;
}

class TablesOver {
  readonly runner: Runner;
  readonly made = new Map<string, object>();

  constructor(runner: Runner) {
    this.runner = runner;
  }

  table(name: string, tableOf: (runner: Runner) => object): object {
    let table = this.made.get(name);
    if (table === undefined) this.made.set(name, (table = tableOf(this.runner)));
    return table;
  }
}

const tableMakers: {
  readonly [Name in keyof MemberTransaction]: (runner: Runner) => MemberTransaction[Name];
} = {
  platforms: platformsOf,
  keys: keysOf,
  members: membersOf,
  memberships: membershipsOf,
  merges: mergesOf,
  erasures: erasuresOf,
  sessions: sessionsOf,
  events: eventsOf,
  audit: auditOf,
  assurance: assuranceOf,
  webhooks: webhooksOf,
  jobs: jobsOf,
  entitlements: entitlementsOf,
  operators: operatorsOf,
  passkeys: passkeysOf,
  accessLog: accessLogOf,
  consents: consentsOf,
};

for (const [name, tableOf] of Object.entries(tableMakers)) {
  Object.defineProperty(TablesOver.prototype, name, {
    get(this: TablesOver) {
      return this.table(name, tableOf);
    },
  });
}
