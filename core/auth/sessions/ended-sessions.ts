import type { Clock } from '../../base/clock.ts';
import type { SessionFile } from './session-file.ts';

/** Tracks sessions that ended early, until they would have expired. */
export class EndedSessions {
  readonly #file: SessionFile;
  readonly #clock: Clock;

  constructor(deps: { readonly file: SessionFile; readonly clock: Clock }) {
    this.#file = deps.file;
    this.#clock = deps.clock;
  }

  has(id: string): boolean {
    return this.#file.read().ended.some((session) => session.id === id);
  }

  /** @param until expiry of the session, epoch milliseconds */
  end(id: string, until: number): void {
    const now = this.#clock.now();
    this.#file.change((content) => {
      const ended = content.ended.filter((session) => session.until > now && session.id !== id);
      return { content: { ...content, ended: [...ended, { id, until }] }, result: undefined };
    });
  }

  /** Returns the time up to which all sessions of a provider's user have ended; 0 for none. */
  sessionsEndedAtOf(userId: string): number {
    return this.#file.read().endedOf.find((entry) => entry.userId === userId)?.at ?? 0;
  }

  /** @param until latest expiry of these sessions, epoch milliseconds */
  endSessionsOfUser(userId: string, until: number): void {
    const now = this.#clock.now();
    this.#file.change((content) => {
      const before = content.endedOf.find((entry) => entry.userId === userId)?.at ?? 0;
      const others = content.endedOf.filter((entry) => entry.until > now && entry.userId !== userId);
      const endedOf = [...others, { userId, at: Math.max(now, before + 1), until }];
      return { content: { ...content, endedOf }, result: undefined };
    });
  }
}
