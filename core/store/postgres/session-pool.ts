import type { Clock, Dispose } from '../../base/clock.ts';
import {
  lost,
  PostgresFailure,
  type SessionRequest,
  type SessionResult,
  type SessionSettings,
} from './requests.ts';
import { Session } from './session.ts';

/** Commits that wait for the server's disk at the same time are synced together. */
const maxSessions = 4;
/** A connection that is idle for so long is closed, in milliseconds: many hosts share the connections of a server. */
const idleMs = 60_000;
/** A lost connection for notifications is opened again at this interval, in milliseconds. */
const listenAgainMs = 1000;

interface Member {
  readonly session: Session;
  /** Requests that are running or sent. */
  requests: number;
  /** The operation whose transaction is open. */
  operation?: number | undefined;
  stopIdle?: Dispose;
}

/**
 * Connections for requests, and one that hears of the commits of others. A request that is complete in itself, such as
 * a whole transaction, uses an idle connection, or a new one; when there are enough, it is sent behind the requests of
 * the one with the fewest. A transaction of several requests has a connection to itself until it ends. After a loss
 * requests wait for the new connection, which ends what the server may still run of the old one: a repeated commit must
 * not run before it. The process stays alive while a request is running.
 */
export class SessionPool {
  readonly #settings: SessionSettings;
  readonly #clock: Clock;
  readonly #members: Member[] = [];
  /** Requests that wait until a transaction has ended, in their order. */
  readonly #waiting: (() => void)[] = [];
  #listener: Session | undefined;
  #changes = 0;
  #stopWaiting: Dispose | undefined;
  #isClosed = false;

  constructor(settings: SessionSettings, clock: Clock) {
    this.#settings = settings;
    this.#clock = clock;
  }

  /** Incremented with each commit of another connection, and when one may have been missed. */
  get changes(): number {
    if (this.#listener === undefined && !this.#isClosed) this.#listen();
    return this.#changes;
  }

  /**
   * Sends a request.
   * @returns the result of each step
   * @throws PostgresFailure of the first step that failed
   */
  async request(request: SessionRequest): Promise<readonly SessionResult[]> {
    const { operation, ends = false } = request;
    const member = this.#take(request) ?? (await this.#waitForMember(request));
    let isOver = ends;
    try {
      return await member.session.run(request);
    } catch (error) {
      isOver ||= !(error instanceof PostgresFailure && error.failure.kind === 'statement');
      throw error;
    } finally {
      member.requests -= 1;
      if (isOver && member.operation === operation) this.#release(member);
      if (member.requests === 0 && member.operation === undefined && !this.#isClosed)
        member.stopIdle = this.#clock.every(idleMs, () => this.#close(member));
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#stopWaiting?.();
    this.#listener?.close();
    for (const member of [...this.#members]) this.#close(member);
    for (const next of this.#waiting.splice(0)) next();
  }

  #listen(): void {
    const listener = new Session(this.#settings, this.#clock, () => {
      this.#changes += 1;
      if (listener.isLost) open();
    });
    const open = (): void => {
      this.#stopWaiting?.();
      if (this.#isClosed) return;
      listener.open().catch(() => (this.#stopWaiting = this.#clock.every(listenAgainMs, open)));
    };
    this.#listener = listener;
    open();
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
    if (this.#isClosed) throw lost('the connection was closed');
    const member = begins ? this.#choose() : this.#members.find((each) => each.operation === operation);
    // Its connection was lost, which has ended the transaction.
    if (member === undefined && !begins) throw lost('the connection of the transaction was lost');
    if (member === undefined) return undefined;
    member.stopIdle?.();
    member.requests += 1;
    if (begins && !ends) member.operation = operation;
    return member;
  }

  #choose(): Member | undefined {
    const free = this.#members.filter(({ operation }) => operation === undefined);
    const lostOne = free.find(({ session }) => session.isLost);
    if (lostOne !== undefined) return lostOne;
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
