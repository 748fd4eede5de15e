import type { Clock } from '../../../../core/base/clock.ts';
import type { GraphLayout } from '../../../graph/layout/compute-layout.ts';

type Laid = Pick<GraphLayout, 'places' | 'routes'>;

interface FirstLayoutPorts {
  readonly clock: Clock;
  /** How long the canvas may stay empty for the better layout; as long as that takes when undefined. */
  readonly patienceMs: number | undefined;
  /** Made in a worker: 0.1 to 1 s. */
  readonly thorough: () => Promise<Laid>;
  /** Made at once. */
  readonly quick: () => Laid;
  readonly show: (laid: Laid) => void;
  /** Whether nobody has done anything yet with what is shown. */
  readonly isUntouched: () => boolean;
}

/**
 * The layout of a graph that nobody has arranged: the thorough one, which is what laying out anew gives as well. What takes
 * long has the quick one shown meanwhile, and takes its place unless somebody works with that already.
 */
export function layOutFirst(ports: FirstLayoutPorts): void {
  const { clock, patienceMs, thorough, quick, show, isUntouched } = ports;
  let isShown = false;
  const showQuick = (): void => {
    isShown = true;
    show(quick());
  };
  const cancel = patienceMs === undefined ? undefined : clock.after(patienceMs, showQuick);
  thorough().then(
    (laid) => {
      cancel?.();
      if (!isShown || isUntouched()) show(laid);
    },
    () => {
      cancel?.();
      if (!isShown) showQuick();
    },
  );
}

/** Whether somebody has pressed or turned anything since; it listens until that, or for some seconds. */
export function watchForTouch(clock: Clock): () => boolean {
  const listening = new AbortController();
  const options = { capture: true, passive: true, signal: listening.signal };
  let isTouched = false;
  const end = (): void => {
    isTouched = true;
    listening.abort();
  };
  for (const event of ['pointerdown', 'wheel', 'keydown']) globalThis.addEventListener(event, end, options);
  clock.after(5000, end);
  return () => isTouched;
}
