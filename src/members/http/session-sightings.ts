import { hash, randomBytes } from 'node:crypto';
import { isIPv4 } from 'node:net';
import type { LiveSession } from '../store/entities.ts';

/** A session that was used from two places at about the same time, as a stolen token is. */
export interface SuspectedSession {
  readonly sessionId: string;
  readonly svcUid: string;
  /** The part of the place that differed. */
  readonly by: 'user_agent' | 'address';
  readonly seenAt: number;
}

/**
 * Places that live sessions are used from, in memory and as keyed hashes, which reveal no address. A session is
 * suspected if within ten minutes its user agent changes, or its network changes and changes back. A single change of
 * network is normal when a user leaves the house, and so are an IPv4 and an IPv6 network in turn: a device can have
 * both.
 */
export class SessionSightings {
  /** By session; the first is the least recently seen. */
  readonly #seen = new Map<string, Sighting>();
  readonly #key = randomBytes(16).toString('hex');
  readonly #suspected: SuspectedSession[] = [];
  #count = 0;

  /** Notes a use of a session; returns the suspicion that it raises, at most one for each session. */
  note(session: LiveSession, place: Place, now: number): SuspectedSession | null {
    const placeHash = this.#hash(`${place.address}\n${place.userAgent}`);
    const before = this.#seen.get(session.id);
    // Inserted again at the end.
    this.#seen.delete(session.id);
    if (before?.placeHash === placeHash) {
      before.at = now;
      this.#seen.set(session.id, before);
      return null;
    }
    const agentHash = this.#hash(place.userAgent);
    const sighting = before ?? { placeHash, at: now, agentHash, networks: {}, isReported: false };
    const isOtherNetwork = this.#changesBack(sighting, place.address, now);
    const isOtherAgent = sighting.agentHash !== agentHash && now - sighting.at < windowMs;
    Object.assign(sighting, { placeHash, agentHash, at: now });
    if (this.#seen.size >= sessionsMax) this.#seen.delete(this.#seen.keys().next().value!);
    this.#seen.set(session.id, sighting);
    if (sighting.isReported || !(isOtherAgent || isOtherNetwork)) return null;
    sighting.isReported = true;
    return this.#report(session, isOtherAgent ? 'user_agent' : 'address', now);
  }

  /** The latest suspected sessions, the newest first. */
  suspected(): readonly SuspectedSession[] {
    return this.#suspected;
  }

  /** Number of suspected sessions since the start. */
  get count(): number {
    return this.#count;
  }

  /** True if an address is in the network that was used before the current one, within the window. */
  #changesBack(sighting: Sighting, address: string, now: number): boolean {
    const family = isIPv4(address) ? 'ipv4' : 'ipv6';
    // Carriers share the addresses of a /24 among the requests of one device; an IPv6 network is a /64 already.
    const network = this.#hash(family === 'ipv4' ? address.replace(/\.\d+$/, '') : address);
    const known = sighting.networks[family];
    if (known?.current === network) {
      known.at = now;
      return false;
    }
    const changesBack = known?.previous === network && now - known.leftAt < windowMs;
    const leftAt = known?.at ?? now;
    sighting.networks[family] = {
      current: network,
      previous: known?.current ?? null,
      leftAt,
      at: now,
    };
    return changesBack;
  }

  #report(session: LiveSession, by: SuspectedSession['by'], seenAt: number): SuspectedSession {
    const { svcUid } = session.member;
    const suspected = { sessionId: session.id, svcUid, by, seenAt };
    this.#count++;
    this.#suspected.unshift(suspected);
    this.#suspected.splice(suspectedMax);
    return suspected;
  }

  #hash(text: string): string {
    return hash('sha256', this.#key + text, 'base64').slice(0, hashLength);
  }
}

/** The place that a request comes from. */
interface Place {
  /** The client address, or its network for IPv6. */
  readonly address: string;
  readonly userAgent: string;
}

interface Sighting {
  /** Hash of address and user agent. It is the same for most requests, which then need no further comparison. */
  placeHash: string;
  agentHash: string;
  at: number;
  isReported: boolean;
  readonly networks: { ipv4?: Network; ipv6?: Network };
}

interface Network {
  readonly current: string;
  readonly previous: string | null;
  /** Time at which the previous network was last seen. */
  readonly leftAt: number;
  at: number;
}

/** Characters of base64: 72 bits. */
const hashLength = 12;
const windowMs = 600_000;
/** Sessions in memory: about 8 MB. */
const sessionsMax = 20_000;
const suspectedMax = 20;
