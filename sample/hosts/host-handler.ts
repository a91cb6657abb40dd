import type { KeyRegistry } from '../keys.ts';
import type { PortalRequest } from '../portal-request.ts';
import type { Reply } from '../reply.ts';

/** Answers the requests to some hosts of the portal, or to some of their paths; null for any other request. */
export type HostHandler = (request: PortalRequest, keys: KeyRegistry) => Reply | null;
