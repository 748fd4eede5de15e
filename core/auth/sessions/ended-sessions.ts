import type { Clock } from '../../base/clock.ts';
import type { SessionFile } from './session-file.ts';

/** Remembers which sessions have ended before their time, until they would have ended by themselves. */
export class EndedSessions {
  readonly #file: SessionFile;
  readonly #clock: Clock;

  constructor(parts: { readonly file: SessionFile; readonly clock: Clock }) {
    this.#file = parts.file;
    this.#clock = parts.clock;
  }

  has(id: string): boolean {
    return this.#file.read().ended.some((session) => session.id === id);
  }

  /** @param until when it would end by itself, epoch milliseconds */
  end(id: string, until: number): void {
    const now = this.#clock.now();
    this.#file.change((content) => {
      const ended = content.ended.filter((session) => session.until > now && session.id !== id);
      return { content: { ...content, ended: [...ended, { id, until }] }, result: undefined };
    });
  }

  /** Until when all sessions of a user of a provider have ended; 0 for none. */
  endOf(userId: string): number {
    return this.#file.read().endedOf.find((entry) => entry.userId === userId)?.at ?? 0;
  }

  /** @param until when the last of them would end by itself, epoch milliseconds */
  endAllOf(userId: string, until: number): void {
    const now = this.#clock.now();
    this.#file.change((content) => {
      const before = content.endedOf.find((entry) => entry.userId === userId)?.at ?? 0;
      const others = content.endedOf.filter((entry) => entry.until > now && entry.userId !== userId);
      const endedOf = [...others, { userId, at: Math.max(now, before + 1), until }];
      return { content: { ...content, endedOf }, result: undefined };
    });
  }
}
