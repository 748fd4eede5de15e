import { lazy, type ComponentType, type LazyExoticComponent } from 'react';
import type { Clock } from '../../core/base/clock.ts';
import { systemClock } from './clock.ts';

/**
 * Delays before each retry, in milliseconds; after a network change the connection is usually back within
 * moments.
 */
export const reloadWaitsMs: readonly number[] = [250, 1000, 3000];

/**
 * Loads a chunk of the program, with retries: browsers abort pending requests whenever a network interface
 * changes, even requests to the same machine.
 * @param load imports the chunk; browsers request a failed import again
 * @returns the result of the last attempt
 */
export async function loadChunk<Part>(load: () => Promise<Part>, clock: Clock = systemClock): Promise<Part> {
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

/**
 * Loads style sheets that failed: the bundler's loader requests each only once, and imports its module only
 * after that.
 */
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

/**
 * Creates a component that is loaded when it is first rendered, inside a `Suspense`.
 * @param load imports it
 */
export const lazyComponent = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> => lazy(async () => ({ default: await loadChunk(load) }));
