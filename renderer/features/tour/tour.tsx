import { create } from 'zustand';
import { Sparkles, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { useDags } from '../../api/workflow-queries.ts';
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

/** What the stops can show. */
interface Sights {
  /** File name of a workflow. */
  readonly workflow: string | undefined;
  readonly run: { readonly name: string; readonly dagRunId: string } | undefined;
}

/** A stop of the tour. */
interface TourStop {
  readonly title: string;
  readonly text: string;
  /** Returns the address of the page that is shown. Default: the page stays. */
  readonly show?: (sights: Sights) => string;
  /** The navigation link to highlight. */
  readonly href?: string;
}

const stops: readonly TourStop[] = [
  {
    title: 'Workflows are files',
    text: 'Each workflow is a YAML file you own, with its status and last runs in this list.',
    show: () => paths.workflows,
    href: paths.workflows,
  },
  {
    title: 'Visual editor',
    text: 'Add steps and connect them. The graph, the form and the YAML show the same file, and a test run is one click away.',
    show: ({ workflow }) => (workflow === undefined ? paths.newWorkflow() : paths.editor(workflow)),
    href: paths.workflows,
  },
  {
    title: 'Runs and logs',
    text: 'Follow a run live, with the log of each attempt. Retry a failed run from where it failed.',
    show: ({ run }) => (run === undefined ? paths.runs : paths.run(run.name, run.dagRunId)),
    href: paths.runs,
  },
  {
    title: 'Schedules',
    text: 'The calendar shows upcoming runs, and runs missed while the machine was asleep.',
    show: () => paths.schedule,
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
  useSights(stop);
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

/** Shows the page of a stop, once it is known what there is to show. */
function useSights({ show }: TourStop): void {
  const dags = useDags().data;
  const isShown = useRef(false);
  const [, navigate] = useLocation();
  useEffect(() => {
    if (dags === undefined || show === undefined || isShown.current) return;
    isShown.current = true;
    const largest = dags.toSorted((left, right) => right.stepCount - left.stepCount);
    const run = largest.flatMap(({ latestRun }) => latestRun ?? [])[0];
    navigate(show({ workflow: largest.find(({ valid }) => valid)?.fileName, run }));
  }, [dags, show, navigate]);
}

/** Focuses the card and highlights its link, until disposed. Escape ends the tour. */
function settle(card: HTMLElement, href: string | undefined): () => void {
  const link =
    href === undefined ? null : document.querySelector(`nav a[href="${useAppLocation.hrefs(href)}"]`);
  link?.scrollIntoView({ block: 'nearest' });
  link?.setAttribute('data-tour', '');
  card.focus();
  const onKeyDown = ({ key }: KeyboardEvent): void => {
    if (key === 'Escape') closeTour();
  };
  window.addEventListener('keydown', onKeyDown);
  return () => {
    link?.removeAttribute('data-tour');
    window.removeEventListener('keydown', onKeyDown);
  };
}
