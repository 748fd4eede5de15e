import { useEffect, useRef } from 'react';
import { Button } from '../../ui/controls/button.tsx';
import { stops, type TourStop } from './stops.ts';
import { closeTour, goToTourStop, useTour } from './tour-store.ts';
import styles from './tour.module.css';

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
  const link = href === undefined ? null : document.querySelector(`nav a[href="#${href}"]`);
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
