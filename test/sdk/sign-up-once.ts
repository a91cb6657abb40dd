import { fileOutbox } from '../../sdk/src/outbox.ts';
import { createSvc } from '../../sdk/src/svc.ts';

/** Signs up a user and waits, for a test that kills it: `node sign-up-once.ts URL KEY OUTBOX`. */
const [membersUrl = '', apiKey = '', path = ''] = process.argv.slice(2);
const svc = createSvc({ membersUrl, apiKey, outbox: fileOutbox(path) });
await svc.signup({ email: 'killed@example.com', platform: 'books', local_user_id: 'u-9' });
