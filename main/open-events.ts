import type { App } from 'electron';

/** A link, or the absolute path of a file, that macOS passes to the app. */
export interface OpenEvent {
  readonly kind: 'link' | 'file';
  readonly what: string;
}

/** Buffers openings until a handler is set. */
export interface OpenEventQueue {
  /** Whether unhandled openings are buffered. */
  readonly hasPending: boolean;
  /** @returns whether there were buffered openings */
  setHandler(take: (opening: OpenEvent) => void): boolean;
}

/**
 * Listens from the start, since the app may have been started for an opening: before `ready`, and before the
 * engine exists.
 */
export function createOpenEventQueue(app: Pick<App, 'on'>): OpenEventQueue {
  const buffered: OpenEvent[] = [];
  let take: ((opening: OpenEvent) => void) | undefined;
  const hear = (event: { preventDefault(): void }, opening: OpenEvent): void => {
    event.preventDefault();
    if (take === undefined) buffered.push(opening);
    else take(opening);
  };
  app.on('open-url', (event, what) => hear(event, { kind: 'link', what }));
  app.on('open-file', (event, what) => hear(event, { kind: 'file', what }));
  return {
    get hasPending() {
      return buffered.length > 0;
    },
    setHandler(taker) {
      take = taker;
      const early = buffered.splice(0);
      for (const opening of early) taker(opening);
      return early.length > 0;
    },
  };
}
