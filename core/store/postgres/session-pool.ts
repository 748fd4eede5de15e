import type { Clock, Dispose } from '../../base/clock.ts';
import type { SessionRequest, SessionResult, SessionSettings } from './messages.ts';
import { Session, SessionFailed } from './session.ts';

/** Commits that wait for the server's disk at the same time are synced together. */
const maxSessions = 4;
/** A connection that is idle for so long is closed, in milliseconds: many hosts share the connections of a server. */
const idleMs = 60_000;

interface Member {
  readonly session: Session;
  /** Requests that are running or sent. */
  requests: number;
  /** The operation whose transaction is open. */
  operation?: number | undefined;
  stopIdle?: Dispose;
}

/**
 * Connections for requests. A request that is complete in itself, such as a whole
 * transaction, uses an idle connection, or a new one; when there are enough, it is sent behind the requests of the one
 * with the fewest. A transaction of several requests has a connection to itself until it ends. After a loss requests
 * wait for the new connection, which ends what the server may still run of the old one: a repeated commit must not run
 * before it.
 */
export class SessionPool {
  readonly #settings: Omit<SessionSettings, 'changes'>;
  readonly #clock: Clock;
  readonly #members: Member[] = [];
  /** Requests that wait until a transaction has ended, in their order. */
  readonly #waiting: (() => void)[] = [];

  constructor(settings: Omit<SessionSettings, 'changes'>, clock: Clock) {
    this.#settings = settings;
    this.#clock = clock;
  }

  /** @throws SessionFailed */
  async run(request: SessionRequest): Promise<SessionResult[]> {
    const { operation, ends = false } = request;
    const member = this.#take(request) ?? (await this.#waitForMember(request));
    let isOver = ends;
    try {
      return await member.session.run(request);
    } catch (error) {
      isOver ||= !(error instanceof SessionFailed && error.failure.kind === 'statement');
      throw error;
    } finally {
      member.requests -= 1;
      if (isOver && member.operation === operation) this.#release(member);
      if (member.requests === 0 && member.operation === undefined)
        member.stopIdle = this.#clock.after(idleMs, () => this.#close(member));
    }
  }

  close(): void {
    for (const member of [...this.#members]) this.#close(member);
  }

  #release(member: Member): void {
    member.operation = undefined;
    for (const next of this.#waiting.splice(0)) next();
  }

  #close(member: Member): void {
    member.stopIdle?.();
    this.#members.splice(this.#members.indexOf(member), 1);
    member.session.close();
  }

  /** Waits until one of the transactions has ended. */
  async #waitForMember(request: SessionRequest): Promise<Member> {
    for (;;) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
      const member = this.#take(request);
      if (member !== undefined) return member;
    }
  }

  /** Returns undefined while each connection has a transaction. */
  #take({ operation, begins, ends }: SessionRequest): Member | undefined {
    const member = begins ? this.#choose() : this.#members.find((each) => each.operation === operation);
    // Its connection was lost, which has ended the transaction.
    if (member === undefined && !begins) throw new SessionFailed(lostTransaction);
    if (member === undefined) return undefined;
    member.stopIdle?.();
    member.requests += 1;
    if (begins && !ends) member.operation = operation;
    return member;
  }

  #choose(): Member | undefined {
    const free = this.#members.filter(({ operation }) => operation === undefined);
    const lost = free.find(({ session }) => session.isLost);
    if (lost !== undefined) return lost;
    const best = free.toSorted((left, right) => left.requests - right.requests)[0];
    if (best?.requests === 0 || this.#members.length === maxSessions) return best;
    return this.#open();
  }

  #open(): Member {
    const member: Member = { session: new Session(this.#settings, this.#clock), requests: 0 };
    this.#members.push(member);
    return member;
  }
}

const lostTransaction = {
  kind: 'lost',
  code: '',
  message: 'the connection of the transaction was lost',
} as const;
