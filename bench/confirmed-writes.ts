import { Agent, request, type IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Service } from './members-service.ts';

/**
 * A load of registrations and events, each sent again until the service confirms it, and their comparison with the
 * database.
 */
export class ConfirmedWrites {
  readonly #service: Service;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: lanes });
  readonly #lanes: Promise<void>[] = [];
  #isRunning = false;
  #next = 0;
  /** Uids of this round by their addresses, and ids of events. */
  #registered = new Map<string, string>();
  #recorded: string[] = [];
  #confirmed = 0;
  #before: Counts | null = null;
  #responses = new Map<string, number>();
  #lastAt = 0;
  #gapMs = 0;
  #slowestMs = 0;

  constructor(service: Service) {
    this.#service = service;
  }

  /** Number of writes that were confirmed so far. */
  get confirmed(): number {
    return this.#confirmed;
  }

  start(): void {
    this.#isRunning = true;
    this.#lastAt = performance.now();
    this.#gapMs = this.#slowestMs = 0;
    this.#responses.clear();
    this.#lanes.push(...Array.from({ length: lanes }, () => this.#lane()));
  }

  /** Ends the load when all writes that were begun are confirmed. */
  async stop(): Promise<Interruption> {
    this.#isRunning = false;
    await Promise.all(this.#lanes.splice(0));
    return {
      gapMs: this.#gapMs,
      slowestMs: this.#slowestMs,
      responses: new Map(this.#responses),
    };
  }

  /** Compares the writes since the last comparison with the database, which no other client writes to. */
  async compare(url: string): Promise<Comparison> {
    const client = new pg.Client(url);
    await client.connect();
    try {
      const uids = [...this.#registered.values()];
      const found = await client.query<{ email: string; uid: string }>(
        'SELECT email, svc_uid AS uid FROM members WHERE svc_uid = ANY($1)',
        [uids],
      );
      const stored = new Set(found.rows.map(({ email, uid }) => `${email} ${uid}`));
      const missing = Array.from(this.#registered).filter(
        ([email, uid]) => !stored.has(`${email} ${uid}`),
      );
      const events = await client.query('SELECT 1 FROM events WHERE event_id = ANY($1)', [
        this.#recorded,
      ]);
      const { rows } = await client.query<Counts>(counts);
      const now = rows[0]!;
      const before = this.#before;
      this.#before = now;
      const registered = this.#registered.size;
      const recorded = this.#recorded.length;
      this.#registered = new Map();
      this.#recorded = [];
      const lost = missing.length + recorded - events.rows.length;
      if (before === null) return { writes: registered + recorded, lost, doubled: 0 };
      // A registration is an event, too.
      const doubled =
        Math.abs(now.members - before.members - registered) +
        Math.abs(now.memberships - before.memberships - registered) +
        Math.abs(now.events - before.events - registered - recorded) +
        Math.abs(now.counted - before.counted - registered - recorded);
      return { writes: registered + recorded, lost, doubled };
    } finally {
      await client.end();
    }
  }

  async #lane(): Promise<void> {
    while (this.#isRunning) {
      const name = `user${++this.#next}`;
      const email = `${name}@example.com`;
      const user = { email, platform: 'demo', local_user_id: name };
      const { svc_uid: uid } = await this.#confirm('/members/register', user);
      this.#registered.set(email, uid!);
      const event = { svc_uid: uid, platform: 'demo', event: 'visit', event_id: `visit-${name}` };
      await this.#confirm('/members/events', event);
      this.#recorded.push(event.event_id);
      await pause(thinkMs);
    }
  }

  /** Sends a write until it is confirmed. */
  async #confirm(path: string, body: object): Promise<{ readonly svc_uid?: string }> {
    for (;;) {
      const sentAt = performance.now();
      const { status, text, retryAfter } = await this.#send(path, JSON.stringify(body));
      const now = performance.now();
      this.#slowestMs = Math.max(this.#slowestMs, now - sentAt);
      if (status === 200 || status === 201) {
        this.#gapMs = Math.max(this.#gapMs, now - this.#lastAt);
        this.#lastAt = now;
        this.#confirmed++;
        this.#count(String(status));
        return JSON.parse(text) as { svc_uid?: string };
      }
      const code = /"code":"(\w+)"/.exec(text)?.[1] ?? text.slice(0, 80);
      this.#count(`${status} ${code}${retryAfter === undefined ? ' without Retry-After' : ''}`);
      await pause(100 + Math.random() * 200);
    }
  }

  #count(response: string): void {
    this.#responses.set(response, (this.#responses.get(response) ?? 0) + 1);
  }

  /** Status 0 for a request without a response. */
  #send(path: string, body: string): Promise<Answer> {
    return new Promise((resolve) => {
      const fail = (error: Error) => resolve({ status: 0, text: error.message });
      const outgoing = request(`${this.#service.url}${path}`, {
        method: 'POST',
        headers: { ...this.#service.headers, 'content-length': Buffer.byteLength(body) },
        agent: this.#agent,
        timeout: 30_000,
      });
      outgoing.on('timeout', () => outgoing.destroy(new Error('no response in 30 s')));
      outgoing.on('error', fail);
      outgoing.on('response', (response: IncomingMessage) => {
        let text = '';
        response.on('data', (chunk) => (text += String(chunk)));
        response.on('error', fail);
        response.on('end', () => {
          const retryAfter = response.headers['retry-after'];
          resolve({ status: response.statusCode ?? 0, text, retryAfter });
        });
      });
      outgoing.end(body);
    });
  }
}

export interface Interruption {
  /** Longest time between two confirmations. */
  readonly gapMs: number;
  /** Longest wait for a response. */
  readonly slowestMs: number;
  /** Number of responses by status and code. */
  readonly responses: ReadonlyMap<string, number>;
}

export interface Comparison {
  readonly writes: number;
  readonly lost: number;
  readonly doubled: number;
}

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly retryAfter?: string | undefined;
}

interface Counts {
  readonly members: number;
  readonly memberships: number;
  readonly events: number;
  readonly counted: number;
}

const counts = `SELECT (SELECT count(*) FROM members)::integer AS members,
  (SELECT count(*) FROM memberships)::integer AS memberships, (SELECT count(*) FROM events)::integer AS events,
  (SELECT sum(count) FROM event_totals)::integer AS counted`;

const lanes = 16;
const thinkMs = 40;
