import type { Clock } from '../../../../core/base/clock.ts';
import type { GraphLayout } from '../../../graph/layout/compute-layout.ts';

type Laid = Omit<GraphLayout, 'lane'>;

interface InitialLayoutPorts {
  readonly clock: Clock;
  /** How long the canvas may stay empty while the better layout is computed; no limit when undefined. */
  readonly timeoutMs: number | undefined;
  /** Computed in a worker, in 0.1 to 1 s. */
  readonly thorough: () => Promise<Laid>;
  /** Computed synchronously. */
  readonly quick: () => Laid;
  readonly show: (laid: Laid) => void;
  /** Whether the user has not interacted with the canvas yet. */
  readonly hasNoInteraction: () => boolean;
}

/**
 * Lays out a graph without saved positions. It uses the thorough layout, as auto-layout does. If that takes
 * long, the quick layout is shown first and replaced later, unless the user has started to work with it.
 */
export function computeInitialLayout(ports: InitialLayoutPorts): void {
  const { clock, timeoutMs, thorough, quick, show, hasNoInteraction } = ports;
  let isShown = false;
  const showQuick = (): void => {
    isShown = true;
    show(quick());
  };
  const cancel = timeoutMs === undefined ? undefined : clock.after(timeoutMs, showQuick);
  thorough().then(
    (laid) => {
      cancel?.();
      if (!isShown || hasNoInteraction()) show(laid);
    },
    () => {
      cancel?.();
      if (!isShown) showQuick();
    },
  );
}

/** Watches for a press or wheel event. The listeners are removed after the first one, or after some seconds. */
export function detectInteraction(clock: Clock): () => boolean {
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
