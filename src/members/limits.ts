/** Bounds on all input of the members service. */
export const memberLimits = {
  emailBytesMin: 3,
  emailBytesMax: 254,
  emailLocalBytesMax: 64,
  localUserIdLengthMax: 128,
  /** `extra` of a registration as JSON, in bytes. */
  extraBytesMax: 4_096,
  consentsMax: 16,
  /** Name of a version of a consent's text, in code points. */
  consentVersionLengthMax: 64,
  /** Statements of a member about purposes on a link; beyond them, only withdrawals of consents in force are stored. */
  consentRecordsMax: 200,
  /** Purposes of a link whose latest statement is read: as many as the statements that a link can have. */
  consentsReadMax: 400,
  consentPurposesMax: 64,
  consentVersionsMax: 50,
  /** A purpose with all of its texts as JSON, in bytes. */
  consentPurposeBytesMax: 65_536,
  registrationsPerBatchMax: 500,
  /** As many as fit into the body of a batch. */
  reconcileHashesMax: 7_000,
  eventsPerBatchMax: 100,
  eventsPerPageBatchMax: 20,
  /** `meta` of an event as JSON, in bytes. */
  metaBytesMax: 8_192,
  /** Nesting of any object from outside. */
  depthMax: 8,
  eventIdLengthMax: 64,
  /** Greatest age of an event at its arrival: from a server's outbox, and from a page. */
  serverEventAgeMs: 400 * 86_400_000,
  browserEventAgeMs: 7 * 86_400_000,
  sessionLifeMs: 604_800_000,
  liveSessionsMax: 20,
  /** `svc_sso` cookies with a valid checksum that are read in one request. */
  sessionTokensMax: 8,
  /** Bits of the platform bitmask; shifts of JavaScript have 32 bits. */
  platformsMax: 30,
  originsPerPlatformMax: 32,
  keysPerPlatformMax: 32,
  /** Longest overlap of a rotated key. */
  keyOverlapMsMax: 30 * 86_400_000,
  reasonLengthMax: 500,
  webhookEndpointsMax: 32,
  entitlementCodesMax: 200,
  tiersMax: 50,
  /** Grants of a member that are in force or to come, and all that are stored. */
  entitlementsMax: 100,
  entitlementHistoryMax: 1_000,
  /** Weeks of a statistics series. */
  weeksMax: 52,
  /** Rows of any list in one answer. */
  pageMax: 200,
  exportEventsMax: 100_000,
  /** `meta` of all events of an export, in characters: an answer is one text. */
  exportMetaLengthMax: 32_000_000,
  /** Members that were merged into one. */
  mergedMembersMax: 100,
  /** Recorded departures of local ids without a link, and the time for which each refuses older registrations. */
  earlyDeparturesMax: 10_000,
  earlyDepartureMsMax: 400 * 86_400_000,
  /** Former uids of a link that are stored, since its platform may still send them. */
  movesPerLinkMax: 16,
} as const;
