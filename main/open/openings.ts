import type { App } from 'electron';

/** What macOS hands to the app: a link, or the absolute path of a file. */
export interface Opening {
  readonly kind: 'link' | 'file';
  readonly what: string;
}

/** What was handed over until now, and what is from now on. */
export interface Openings {
  /** Whether something was handed over that nobody has taken. */
  readonly isWaiting: boolean;
  /** @returns whether there was something already */
  handTo(take: (opening: Opening) => void): boolean;
}

/** Listens from the very start, since the app may have been started for it: before `ready`, and before there is an engine. */
export function keepOpenings(app: Pick<App, 'on'>): Openings {
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
