import { create } from 'zustand';

const storageKey = 'stepwright.tour';

interface TourState {
  /** Index of the current stop, from 0. */
  readonly stop: number | undefined;
  /** Taken or dismissed on this machine, so it is not offered again. */
  readonly isKnown: boolean;
}

export const useTour = create<TourState>(() => ({
  stop: undefined,
  isKnown: localStorage.getItem(storageKey) === 'known',
}));

/** Starts the tour. */
export const openTour = (): void => useTour.setState({ stop: 0 });

export const goToTourStop = (stop: number): void => useTour.setState({ stop });

/** Ends or dismisses the tour. */
export function closeTour(): void {
  localStorage.setItem(storageKey, 'known');
  useTour.setState({ stop: undefined, isKnown: true });
}
