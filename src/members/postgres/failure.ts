/** True for an error of the connection or the server, not of the statement: the transaction is lost. */
export function isStoreFailure(error: unknown): boolean {
  const state = sqlState(error);
  return state === null ? isConnectionError(error) : failureStates.test(state);
}

/** True if the server itself refused: then a failed COMMIT has stored nothing. */
export function isRefusal(error: unknown): boolean {
  return error instanceof Error && 'severity' in error && error.severity === 'ERROR';
}

/** The code of an error of the server (https://www.postgresql.org/docs/current/errcodes-appendix.html). */
export function sqlState(error: unknown): string | null {
  if (!(error instanceof Error) || !('severity' in error) || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}

/**
 * Classes 08 (connection), 53 (resources), 57 (shutdown, cancelled), 58 (system); 25006 (read-only: a leader that was
 * demoted), 25P03 (idle for too long), 55P03 (waited too long for a lock), XX (damage).
 */
const failureStates = /^(?:08|53|57|58|XX|25006|25P03|55P03)/;

/** The driver's own errors have no class: socket errors have a system code, errors of lost connections only a text. */
function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('syscall' in error || isUntrusted(error)) return true;
  if ('code' in error && systemCodes.test(String(error.code))) return true;
  return /connection|timeout|not queryable/i.test(error.message);
}

const systemCodes = /^(?:E[A-Z]+$|ERR_TLS|ERR_SSL)/;

/** True if the certificate of the server was refused. */
export function isUntrusted(error: Error): boolean {
  return 'code' in error && verificationCodes.test(String(error.code));
}

/** Codes of Node for a certificate that is not valid, not trusted, or not of this host. */
const verificationCodes = /^(?:CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_CERT_)/;

/** True for an error that follows from the failure of a statement before in the same transaction. */
export function isFollowUp(error: unknown): boolean {
  return /^(?:25P02|26000)$/.test(sqlState(error) ?? '');
}
