import { PortalError } from '../client/portal-error.ts';

/** odcloud gives a key without permission its first page, whichever is asked for: `operation`, dataset’s page. */
export function firstPageOnly(operation: string, portalPage: string): PortalError {
  return new PortalError({
    code: 'first_page_only',
    class: 'service',
    message: 'every page is the first one, as for a key without permission (first_page_only)',
    advice: `Apply for the dataset with your account on ${portalPage}.`,
    operation,
    status: 200,
    attempts: 1,
    retryAt: null,
  });
}
