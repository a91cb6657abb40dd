import type { KeyRegistry } from '../keys.ts';
import type { PortalRequest } from '../portal-request.ts';
import type { Reply } from '../reply.ts';

/** Answers for a host of the portal beside the operations; null if the request is for another. */
export type HostHandler = (request: PortalRequest, keys: KeyRegistry) => Reply | null;
