import type { Clock, Dispose } from '../../core/base/clock.ts';

const key = 'stepwright.scroll';
/** How long a page may take to reach its previous height. */
const timeoutMs = 5000;
const pollIntervalMs = 100;

/** Scroll positions of a page and its scroll containers. */
interface SavedScroll {
  readonly address: string;
  /** Child indexes from `body`. */
  readonly path: readonly number[];
  readonly top: number;
}

/**
 * Stores the scroll positions of the page and restores them after a reload, for example after a crash; browsers
 * do not restore scroll containers.
 */
export function restoreScroll(clock: Clock): Dispose {
  const stopRestoring = restore(clock);
  const remember = ({ target }: Event): void => {
    if (!(target instanceof HTMLElement)) return;
    stopRestoring();
    const scrollPosition: SavedScroll = {
      address: location.hash,
      path: getPath(target),
      top: target.scrollTop,
    };
    sessionStorage.setItem(key, JSON.stringify(scrollPosition));
  };
  document.addEventListener('scroll', remember, { capture: true, passive: true });
  return () => {
    stopRestoring();
    document.removeEventListener('scroll', remember, { capture: true });
  };
}

function restore(clock: Clock): Dispose {
  const scrollPosition = readSavedScroll();
  if (scrollPosition === undefined || scrollPosition.top === 0 || scrollPosition.address !== location.hash)
    return () => undefined;
  const until = clock.monotonic() + timeoutMs;
  const stop = clock.every(pollIntervalMs, () => {
    const element = scrollPosition.address === location.hash ? find(scrollPosition.path) : undefined;
    const isLongEnough =
      element !== undefined && element.scrollHeight - element.clientHeight >= scrollPosition.top;
    if (isLongEnough) element.scrollTop = scrollPosition.top;
    if (isLongEnough || scrollPosition.address !== location.hash || clock.monotonic() > until) stop();
  });
  return stop;
}

function readSavedScroll(): SavedScroll | undefined {
  const text = sessionStorage.getItem(key);
  return text === null ? undefined : (JSON.parse(text) as SavedScroll);
}

function getPath(element: Element): number[] {
  const path: number[] = [];
  for (let at: Element | null = element; at !== null && at !== document.body; at = at.parentElement)
    path.unshift([...(at.parentElement?.children ?? [])].indexOf(at));
  return path;
}

function find(path: readonly number[]): HTMLElement | undefined {
  let at: Element | undefined = document.body;
  for (const index of path) at = at?.children[index];
  return at instanceof HTMLElement ? at : undefined;
}
