import type { Clock, Dispose } from '../../base/clock.ts';
import type { SessionRequest, SessionResult, SessionSettings } from './messages.ts';
import { Session } from './session.ts';

/** Commits that wait for the server's disk at the same time are synced together. */
const maxSessions = 4;
/** A connection that is idle for so long is closed, in milliseconds: many hosts share the connections of a server. */
const idleMs = 60_000;

interface Member {
  readonly session: Session;
  /** Requests that are running or sent. */
  requests: number;
  stopIdle?: Dispose;
}

/**
 * Connections for requests that are complete in themselves, such as whole transactions. A request uses an idle
 * connection, or a new one; when there are enough, it is sent behind the requests of the one with the fewest. After a
 * loss it waits for the new connection, which ends what the server may still run of the old one: a repeated commit must
 * not run before it.
 */
export class SessionPool {
  readonly #settings: Omit<SessionSettings, 'counters'>;
  readonly #clock: Clock;
  readonly #members: Member[] = [];

  constructor(settings: Omit<SessionSettings, 'counters'>, clock: Clock) {
    this.#settings = settings;
    this.#clock = clock;
  }

  /** @throws SessionFailed */
  async run(request: SessionRequest): Promise<SessionResult[]> {
    const member = this.#choose();
    member.stopIdle?.();
    member.requests += 1;
    try {
      return await member.session.run(request);
    } finally {
      member.requests -= 1;
      if (member.requests === 0) member.stopIdle = this.#clock.after(idleMs, () => this.#close(member));
    }
  }

  close(): void {
    for (const member of [...this.#members]) this.#close(member);
  }

  #close(member: Member): void {
    member.stopIdle?.();
    this.#members.splice(this.#members.indexOf(member), 1);
    member.session.close();
  }

  #choose(): Member {
    const lost = this.#members.find(({ session }) => session.isLost);
    if (lost !== undefined) return lost;
    const [first, ...others] = this.#members;
    if (first === undefined) return this.#open();
    const best = others.reduce((least, each) => (each.requests < least.requests ? each : least), first);
    return best.requests === 0 || this.#members.length === maxSessions ? best : this.#open();
  }

  #open(): Member {
    const member: Member = { session: new Session(this.#settings, this.#clock), requests: 0 };
    this.#members.push(member);
    return member;
  }
}
