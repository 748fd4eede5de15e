import { createContext, useContext } from 'react';
import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { AppError } from '../../../core/base/errors.ts';
import { Listeners } from '../../../core/base/listeners.ts';
import type { OperationOutput } from '../../../core/contract/operations.ts';

/** Whom the engine takes the page for. */
export type Me = OperationOutput<'auth.me'>;

/** Why the page asks people to sign in: nobody has yet, the session has ended by itself, or they signed out. */
export type AskReason = 'first' | 'expired' | 'left';

/** Before that it finds out whether there is anything to ask. */
export type Asking = AskReason | 'unknown';

export interface SessionState {
  /** Absent while there is nothing to ask; what is to be sent waits meanwhile. */
  readonly asking: Asking | undefined;
  /** For whom the page shows what it shows; unknown until the engine has said so. */
  readonly who: Me | undefined;
  /** Counts the people one after the other; what the page holds for one of them is none of the next one's business. */
  readonly person: number;
}

interface Waiting {
  readonly go: () => void;
  readonly refuse: (reason: AppError) => void;
}

const idOf = ({ user, name }: Me): string => user?.id ?? name;

/** Who uses the page. Calls that the engine refuses for want of credentials wait here until somebody has signed in. */
export class Session {
  readonly store: StoreApi<SessionState>;
  readonly #leaving = new Listeners();
  #waiting: Waiting[] = [];
  #signIns = 0;

  /** @param asking `unknown` where people may have to sign in: then everything waits until that is found out */
  constructor(asking?: 'unknown') {
    this.store = createStore<SessionState>(() => ({ asking, who: undefined, person: 0 }));
  }

  /** Whether calls would only be refused now. */
  get isClosed(): boolean {
    return this.store.getState().asking !== undefined;
  }

  /** How often somebody has signed in; a refusal of what was sent before the last time says nothing. */
  get signIns(): number {
    return this.#signIns;
  }

  /** Whether a sign-in would be that of another person than the one whose work is on the page. */
  isSomebodyElse(me: Me): boolean {
    const { who } = this.store.getState();
    return who !== undefined && idOf(who) !== idOf(me);
  }

  /** Notes whom the engine takes the page for. */
  know(who: Me): void {
    this.store.setState({ who });
  }

  /**
   * Has the page ask for a sign-in, and waits for it. Rejects with `unauthorized` when somebody else signs in.
   * @param sentAt `signIns` when what was refused was sent
   */
  ask(sentAt = this.#signIns): Promise<void> {
    if (sentAt !== this.#signIns) return Promise.resolve();
    const { asking, who } = this.store.getState();
    if (asking === undefined) this.store.setState({ asking: who === undefined ? 'first' : 'expired' });
    return new Promise((go, refuse) => this.#waiting.push({ go, refuse }));
  }

  /** Nobody has to sign in, or somebody has before the page was loaded: everything goes on that waits. */
  admit(): void {
    this.store.setState({ asking: undefined });
    for (const { go } of this.#takeWaiting()) go();
  }

  /** Has the page ask for the first sign-in. */
  askFirst(): void {
    this.store.setState({ asking: 'first' });
  }

  /** Lets everything go on that waits, unless it is the work of another person. */
  signedIn(who: Me): void {
    const isOther = this.isSomebodyElse(who);
    this.#signIns += 1;
    this.store.setState(({ person }) => ({ asking: undefined, who, person: isOther ? person + 1 : person }));
    const waiting = this.#takeWaiting();
    for (const { go, refuse } of waiting) {
      if (isOther)
        refuse(new AppError('unauthorized', 'Another user has signed in. Your request was not sent.'));
      else go();
    }
  }

  /** Ends what the page does for somebody who signs out. */
  leave(): void {
    const waiting = this.#takeWaiting();
    this.store.setState(({ person }) => ({ asking: 'left', who: undefined, person: person + 1 }));
    for (const { refuse } of waiting) refuse(new AppError('unauthorized', 'You are signed out.'));
    this.#leaving.tell();
  }

  /** Tells when somebody signs out, until disposed. */
  readonly onLeave = this.#leaving.add;

  #takeWaiting(): Waiting[] {
    const waiting = this.#waiting;
    this.#waiting = [];
    return waiting;
  }
}

const SessionContext = createContext(new Session());
export const SessionProvider = SessionContext.Provider;

/** The session of the application. */
export const useSession = (): Session => useContext(SessionContext);

/** How it stands. */
export const useSessionState = (): SessionState => useStore(useSession().store);
