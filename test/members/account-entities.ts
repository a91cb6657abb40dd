/** A member with its address; a merged member has several homes. */
export interface Home {
  /** Null until an answer names it. */
  uid: string | null;
  address: string | null;
  /** True once a verified link has left: the address then finds only the links that stay with this home. */
  gaveUp: boolean;
}

export interface Person {
  homes: Home[];
  isSuspended: boolean;
}

export interface Link {
  readonly platform: string;
  home: Home;
  id: string | null;
  verified: boolean;
  wasVerified: boolean;
  order: number;
  addressedAt: number;
  /** The person who had the address when the platform linked it, as `AddressOwners` names it. */
  owner: string;
  readonly formerOwners: string[];
  /** Codes that the platform granted to its user. */
  readonly grantedCodes: Set<string>;
  /** Homes that gave their address up when the link left. */
  formerHomes: FormerHome[];
}

/** A home that a link left for another member. */
export interface FormerLink {
  readonly home: Home;
  readonly link: Link;
}

export interface FormerHome {
  readonly home: Home;
  /** Owner of its address when the link left. */
  readonly owner: string;
}

export interface Session {
  readonly token: string;
  readonly link: Link;
  readonly person: Person;
  readonly platform: string;
  readonly verified: boolean;
  isOver: boolean;
}

export interface MergeRecord {
  readonly id: number;
  readonly from: Person;
  readonly into: Person;
  readonly homes: Home[];
  isUndone: boolean;
}

export interface Registration {
  readonly platform: string;
  readonly address: string;
  readonly id: string | null;
  readonly verified: boolean | null;
  /** Round of the first attempt; null for a registration that is not a retry. */
  readonly attempt: number | null;
}

export interface Change {
  readonly id?: string;
  readonly expectedId?: string | null;
  readonly address?: string;
  readonly expectedAddress?: string;
  /** The platform states that the user has the address now. */
  readonly isConfirmed?: boolean;
}

/** An address that a home no longer has. */
export interface Release {
  readonly address: string;
  readonly home: Home;
  readonly platform: string;
  readonly at: number;
}

/** The answer that the service must give; properties that are absent are not compared. */
export interface ExpectedAnswer {
  readonly code?: string;
  readonly uid?: string;
  readonly created?: boolean;
  readonly erased?: boolean;
  readonly warnings?: readonly string[];
}
