import type { Clock } from '../../core/base/clock.ts';
import { systemClock } from '../app/clock.ts';

/** How long to wait before each further attempt, milliseconds: a network that changes is back within moments. */
export const reloadWaitsMs: readonly number[] = [250, 1000, 3000];

/**
 * Loads a part of the program, again when it did not come: browsers give up what they are asking for whenever an
 * interface of the machine comes or goes, also when they ask the machine itself.
 * @param load imports the part; browsers ask anew for an import that has failed
 * @returns what the last attempt says, if all have failed
 */
export async function loadPart<Part>(load: () => Promise<Part>, clock: Clock = systemClock): Promise<Part> {
  for (const wait of reloadWaitsMs) {
    try {
      return await load();
    } catch {
      await new Promise<void>((resolve) => clock.after(wait, resolve));
      await loadMissingStyles();
    }
  }
  return load();
}

/** The bundler's loader asks for each style sheet once, and for the import behind it only when that has come. */
async function loadMissingStyles(): Promise<void> {
  const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')];
  await Promise.all(links.filter(({ sheet }) => sheet === null).map(loadAgain));
}

function loadAgain(link: HTMLLinkElement): Promise<void> {
  const again = link.cloneNode() as HTMLLinkElement;
  const { promise, resolve } = Promise.withResolvers<void>();
  again.addEventListener('load', () => resolve());
  again.addEventListener('error', () => resolve());
  link.replaceWith(again);
  return promise;
}
