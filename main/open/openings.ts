import type { App } from 'electron';

/** A link, or the absolute path of a file, that macOS passes to the app. */
export interface Opening {
  readonly kind: 'link' | 'file';
  readonly what: string;
}

/** Buffers openings until a handler is set. */
export interface Openings {
  /** Whether unhandled openings are buffered. */
  readonly isWaiting: boolean;
  /** @returns whether there were buffered openings */
  handTo(take: (opening: Opening) => void): boolean;
}

/**
 * Listens from the start, since the app may have been started for an opening: before `ready`, and before the
 * engine exists.
 */
export function queueOpenings(app: Pick<App, 'on'>): Openings {
  const kept: Opening[] = [];
  let take: ((opening: Opening) => void) | undefined;
  const hear = (event: { preventDefault(): void }, opening: Opening): void => {
    event.preventDefault();
    if (take === undefined) kept.push(opening);
    else take(opening);
  };
  app.on('open-url', (event, what) => hear(event, { kind: 'link', what }));
  app.on('open-file', (event, what) => hear(event, { kind: 'file', what }));
  return {
    get isWaiting() {
      return kept.length > 0;
    },
    handTo(taker) {
      take = taker;
      const early = kept.splice(0);
      for (const opening of early) taker(opening);
      return early.length > 0;
    },
  };
}
