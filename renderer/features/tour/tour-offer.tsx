import { Sparkles, X } from 'lucide-react';
import { Button } from '../../ui/controls/button.tsx';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { closeTour, openTour, useTour } from './tour-store.ts';
import styles from './tour.module.css';

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
