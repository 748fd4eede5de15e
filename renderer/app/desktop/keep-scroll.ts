import type { Clock, Dispose } from '../../../core/base/clock.ts';

const key = 'stepwright.scroll';
/** How long a page may take to be as long again as it was. */
const patienceMs = 5000;
const lookMs = 100;

/** Where a page was scrolled to, and in which of its parts. */
interface Place {
  readonly address: string;
  /** Which child of which child, from `body`. */
  readonly path: readonly number[];
  readonly top: number;
}

/**
 * Remembers how far the page is scrolled, and goes there again when it is loaded anew, as after a crash: parts that
 * scroll by themselves are nothing that the browser looks after.
 */
export function keepScroll(clock: Clock): Dispose {
  const stopRestoring = restore(clock);
  const remember = ({ target }: Event): void => {
    if (!(target instanceof HTMLElement)) return;
    stopRestoring();
    const place: Place = { address: location.hash, path: pathOf(target), top: target.scrollTop };
    sessionStorage.setItem(key, JSON.stringify(place));
  };
  document.addEventListener('scroll', remember, { capture: true, passive: true });
  return () => {
    stopRestoring();
    document.removeEventListener('scroll', remember, { capture: true });
  };
}

function restore(clock: Clock): Dispose {
  const place = readPlace();
  if (place === undefined || place.top === 0 || place.address !== location.hash) return () => undefined;
  const until = clock.monotonic() + patienceMs;
  const stop = clock.every(lookMs, () => {
    const element = place.address === location.hash ? find(place.path) : undefined;
    const isLongEnough = element !== undefined && element.scrollHeight - element.clientHeight >= place.top;
    if (isLongEnough) element.scrollTop = place.top;
    if (isLongEnough || place.address !== location.hash || clock.monotonic() > until) stop();
  });
  return stop;
}

function readPlace(): Place | undefined {
  const text = sessionStorage.getItem(key);
  return text === null ? undefined : (JSON.parse(text) as Place);
}

function pathOf(element: Element): number[] {
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
