import { create } from 'zustand';
import { Sparkles, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { paths, useAppLocation } from '../../navigation/address.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import styles from './tour.module.css';

const storageKey = 'stepwright.tour';

interface TourState {
  /** Index of the current stop, from 0. */
  readonly stop: number | undefined;
  /** Taken or dismissed on this machine, so it is not offered again. */
  readonly isKnown: boolean;
}

const useTour = create<TourState>(() => ({
  stop: undefined,
  isKnown: localStorage.getItem(storageKey) === 'known',
}));

/** Starts the tour. */
export const openTour = (): void => useTour.setState({ stop: 0 });

const goToTourStop = (stop: number): void => useTour.setState({ stop });

/** Ends or dismisses the tour. */
function closeTour(): void {
  localStorage.setItem(storageKey, 'known');
  useTour.setState({ stop: undefined, isKnown: true });
}

/** A stop of the tour. */
interface TourStop {
  readonly title: string;
  readonly text: string;
  /** The navigation link to attach to. Default: centered in the window. */
  readonly href?: string;
}

const stops: readonly TourStop[] = [
  {
    title: 'Workflows are files',
    text: 'Each workflow is a YAML file you own. Edit it on the canvas or as code.',
    href: paths.workflows,
  },
  {
    title: 'Run history and logs',
    text: 'See active and past runs with the log of each attempt. Retry a failed run from where it failed.',
    href: paths.runs,
  },
  {
    title: 'Schedules',
    text: 'The calendar shows upcoming runs, and runs missed while the machine was asleep.',
    href: paths.schedule,
  },
  {
    title: 'Command palette',
    text: 'Press Ctrl+K on any page and type the name of a workflow, run or command. Press ? for all keyboard shortcuts.',
  },
];

/** Offers the tour until it is taken or dismissed. */
export function TourOffer() {
  const isKnown = useTour((state) => state.isKnown);
  if (isKnown) return null;
  return (
    <div className={styles.offer}>
      <Button variant="quiet" size="small" icon={Sparkles} onPress={openTour}>
        Take the tour
      </Button>
      <IconButton label="Dismiss" icon={X} size="small" onPress={closeTour} />
    </div>
  );
}

/** The active tour. The page behind it stays usable. */
export function Tour() {
  const number = useTour((state) => state.stop);
  const stop = number === undefined ? undefined : stops[number];
  if (number === undefined || !stop) return null;
  return <TourCard key={number} number={number} stop={stop} />;
}

interface TourCardProps {
  readonly number: number;
  readonly stop: TourStop;
}

function TourCard({ number, stop }: TourCardProps) {
  const card = useRef<HTMLDivElement>(null);
  const isLast = number === stops.length - 1;
  useEffect(() => (card.current ? settle(card.current, stop.href) : undefined), [stop.href]);
  return (
    <div
      ref={card}
      className={styles.card}
      role="dialog"
      aria-labelledby="tour-title"
      aria-describedby="tour-text"
      tabIndex={-1}
    >
      <h2 id="tour-title">{stop.title}</h2>
      <p id="tour-text">{stop.text}</p>
      <div className={styles.foot}>
        <span data-figures>
          {number + 1} of {stops.length}
        </span>
        {!isLast && (
          <Button variant="quiet" size="small" onPress={closeTour}>
            Skip
          </Button>
        )}
        {number > 0 && (
          <Button size="small" onPress={() => goToTourStop(number - 1)}>
            Back
          </Button>
        )}
        <Button
          variant="primary"
          size="small"
          onPress={() => (isLast ? closeTour() : goToTourStop(number + 1))}
        >
          {isLast ? 'Done' : 'Next'}
        </Button>
      </div>
    </div>
  );
}

/** Positions the card next to its link and highlights the link, until disposed. Escape ends the tour. */
function settle(card: HTMLElement, href: string | undefined): () => void {
  const link =
    href === undefined ? null : document.querySelector(`nav a[href="${useAppLocation.hrefs(href)}"]`);
  const updatePosition = (): void => {
    if (link === null) return;
    link.scrollIntoView({ block: 'nearest' });
    const { right, top } = link.getBoundingClientRect();
    const lowest = window.innerHeight - card.offsetHeight - 16;
    card.style.left = `${right + 14}px`;
    card.style.top = `${Math.max(0, Math.min(top - 8, lowest))}px`;
    card.dataset.beside = '';
  };
  updatePosition();
  link?.setAttribute('data-tour', '');
  card.focus();
  window.addEventListener('resize', updatePosition);
  const onKeyDown = ({ key }: KeyboardEvent): void => {
    if (key === 'Escape') closeTour();
  };
  window.addEventListener('keydown', onKeyDown);
  return () => {
    link?.removeAttribute('data-tour');
    window.removeEventListener('resize', updatePosition);
    window.removeEventListener('keydown', onKeyDown);
  };
}
