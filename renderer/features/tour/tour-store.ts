import { create } from 'zustand';

const storageKey = 'stepwright.tour';

interface TourState {
  /** Number of the stop that is shown, from 0. */
  readonly stop: number | undefined;
  /** It was taken or declined on this machine, and is not offered again. */
  readonly isKnown: boolean;
}

export const useTour = create<TourState>(() => ({
  stop: undefined,
  isKnown: localStorage.getItem(storageKey) === 'known',
}));

/** Begins the tour. */
export const openTour = (): void => useTour.setState({ stop: 0 });

export const goToStop = (stop: number): void => useTour.setState({ stop });

/** Ends the tour, or declines it. */
export function closeTour(): void {
  localStorage.setItem(storageKey, 'known');
  useTour.setState({ stop: undefined, isKnown: true });
}
