import { createContext, useContext } from 'react';
import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { AppError } from '../../core/base/errors.ts';
import { Listeners } from '../../core/base/emitter.ts';
import type {
  OperationOutput,
  OperationInput,
  OperationName,
  StreamInput,
  StreamItem,
  StreamName,
} from '../../core/contract/operations.ts';
import type { Dispose } from '../../core/base/clock.ts';
import type { Bridge, StreamObserver } from '../../core/contract/transport.ts';

/** The user that the engine sees. */
export type CurrentUser = OperationOutput<'auth.me'>;

/** Why sign-in is requested: no session yet, an expired one, or a sign-out. */
export type SignInReason = 'first' | 'expired' | 'left';

/** `unknown` while checking whether sign-in is required. */
export type SignInState = SignInReason | 'unknown';

export interface SessionState {
  /** Absent while no sign-in is needed; requests wait otherwise. */
  readonly asking: SignInState | undefined;
  /** The user whose data is on the page; undefined while unknown. */
  readonly who: CurrentUser | undefined;
  /** Incremented for each different user; cached data of one user must not be shown to the next. */
  readonly person: number;
}

interface Waiting {
  readonly resume: () => void;
  readonly reject: (reason: AppError) => void;
}

const getId = ({ user, name }: CurrentUser): string => user?.id ?? name;

/** The session of the page. Calls rejected with 401 wait here until the user has signed in. */
export class Session {
  readonly store: StoreApi<SessionState>;
  readonly #leaving = new Listeners();
  #waiting: Waiting[] = [];
  #signIns = 0;

  /** @param asking `unknown` if sign-in may be required: everything waits until that is known */
  constructor(asking?: 'unknown') {
    this.store = createStore<SessionState>(() => ({ asking, who: undefined, person: 0 }));
  }

  /** Whether calls would be rejected now. */
  get isClosed(): boolean {
    return this.store.getState().asking !== undefined;
  }

  /** Number of sign-ins so far; an error of a request sent before the last one is out of date. */
  get signIns(): number {
    return this.#signIns;
  }

  /** Whether a user differs from the one whose data is on the page. */
  isOtherUser(me: CurrentUser): boolean {
    const { who } = this.store.getState();
    return who !== undefined && getId(who) !== getId(me);
  }

  /** Sets the user that the engine sees. */
  know(who: CurrentUser): void {
    this.store.setState({ who });
  }

  /**
   * Requests a sign-in and waits for it. Rejects with `unauthorized` if a different user signs in.
   * @param sentAt `signIns` when the rejected request was sent
   */
  ask(sentAt = this.#signIns): Promise<void> {
    if (sentAt !== this.#signIns) return Promise.resolve();
    const { asking, who } = this.store.getState();
    if (asking === undefined) this.store.setState({ asking: who === undefined ? 'first' : 'expired' });
    return new Promise((resume, reject) => this.#waiting.push({ resume, reject }));
  }

  /** Continues all waiting requests: no sign-in is required, or a session exists already. */
  admit(): void {
    this.store.setState({ asking: undefined });
    for (const { resume } of this.#resolveWaiting()) resume();
  }

  /** Requests the first sign-in. */
  askFirst(): void {
    this.store.setState({ asking: 'first' });
  }

  /** Continues all waiting requests, unless they belong to a different user. */
  signedIn(who: CurrentUser): void {
    const isOther = this.isOtherUser(who);
    this.#signIns += 1;
    this.store.setState(({ person }) => ({ asking: undefined, who, person: isOther ? person + 1 : person }));
    const waiting = this.#resolveWaiting();
    for (const { resume, reject } of waiting) {
      if (isOther)
        reject(new AppError('unauthorized', 'Another user has signed in. Your request was not sent.'));
      else resume();
    }
  }

  /** Ends the session of a user on sign-out. */
  leave(): void {
    const waiting = this.#resolveWaiting();
    this.store.setState(({ person }) => ({ asking: 'left', who: undefined, person: person + 1 }));
    for (const { reject } of waiting) reject(new AppError('unauthorized', 'You are signed out.'));
    this.#leaving.notify();
  }

  /** Notifies of sign-outs, until disposed. */
  readonly onLeave = this.#leaving.add;

  #resolveWaiting(): Waiting[] {
    const waiting = this.#waiting;
    this.#waiting = [];
    return waiting;
  }
}

const SessionContext = createContext(new Session());
export const SessionProvider = SessionContext.Provider;

/** Returns the session from context. */
export const useSession = (): Session => useContext(SessionContext);

/** Returns the state of the session. */
export const useSessionState = (): SessionState => useStore(useSession().store);

/** Operations on sessions are never held back. */
const sessionOperations: ReadonlySet<OperationName> = new Set(['auth.info', 'auth.login', 'auth.logout']);

/**
 * A bridge whose calls and streams survive the end of a session: requests rejected with 401 were not executed,
 * so they wait until the same user has signed in and are then repeated. Meanwhile nothing is sent that would
 * only be rejected.
 */
export class SessionBridge implements Bridge {
  /** Without waiting. */
  readonly direct: Bridge;
  readonly #session: Session;

  constructor(direct: Bridge, session: Session) {
    this.direct = direct;
    this.#session = session;
  }

  get transport(): Bridge['transport'] {
    return this.direct.transport;
  }

  get openLogFile(): Bridge['openLogFile'] {
    return this.direct.openLogFile?.bind(this.direct);
  }

  get desktop(): Bridge['desktop'] {
    return this.direct.desktop;
  }

  async call<Name extends OperationName>(
    name: Name,
    input: OperationInput<Name>,
  ): Promise<OperationOutput<Name>> {
    if (sessionOperations.has(name)) return this.direct.call(name, input);
    for (;;) {
      if (this.#session.isClosed) await this.#session.ask();
      const sentAt = this.#session.signIns;
      try {
        const output = await this.direct.call(name, input);
        if (name === 'auth.me' && sentAt === this.#session.signIns) this.#session.know(output as CurrentUser);
        return output;
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'unauthorized') throw error;
        await this.#session.ask(sentAt);
      }
    }
  }

  follow<Name extends StreamName>(
    name: Name,
    input: StreamInput<Name>,
    observer: StreamObserver<StreamItem<Name>>,
  ): Dispose {
    let isOver = false;
    let stop: Dispose = () => undefined;
    const end: typeof observer.end = (error) => {
      if (isOver) return;
      isOver = true;
      stopListening();
      observer.end(error);
    };
    const resume = (sentAt?: number): void => {
      stop = () => undefined;
      this.#session.ask(sentAt).then(open, (error: AppError) => end(error));
    };
    const open = (): void => {
      if (isOver) return;
      if (this.#session.isClosed) return resume();
      const sentAt = this.#session.signIns;
      stop = this.direct.follow(name, input, {
        item: (item) => observer.item(item),
        end: (error) => (error?.code === 'unauthorized' ? resume(sentAt) : end(error)),
      });
    };
    const stopListening = this.#session.onLeave(() => {
      stop();
      resume();
    });
    open();
    return () => {
      isOver = true;
      stopListening();
      stop();
    };
  }
}
