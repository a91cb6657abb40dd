import { PortalError } from '../client/portal-error.ts';

/** Error for a key without permission: odcloud answers every request with the first page. */
export function firstPageOnlyError(operation: string, portalPage: string): PortalError {
  return new PortalError({
    code: 'first_page_only',
    class: 'service',
    reason: 'every page equals the first one, as for a key without permission (first_page_only)',
    advice: `Apply for the dataset with your account on ${portalPage}.`,
    operation,
    status: 200,
    attempts: 1,
    retryAt: null,
  });
}
