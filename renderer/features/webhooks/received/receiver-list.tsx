import type { ReceiverView } from '../../../../core/contract/webhook-receivers.ts';
import { countThings } from '../../../ui/list/bulk-report.tsx';
import { Outcome } from '../exchange/outcome.tsx';
import styles from '../webhooks.module.css';
import { schemeWords } from './scheme-words.ts';

interface ReceiverListProps {
  readonly receivers: readonly ReceiverView[];
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
}

/** All receivers, one of which is looked at. */
export function ReceiverList({ receivers, chosen, onChoose }: ReceiverListProps) {
  return (
    <ul className={styles.list} aria-label="Receivers">
      {receivers.map(({ id, name, scheme, active, workflows }) => (
        <li key={id}>
          <button
            type="button"
            className={styles.item}
            aria-current={id === chosen ? 'true' : undefined}
            onClick={() => onChoose(id)}
          >
            <span className={styles.itemName}>{name}</span>
            <span className={styles.itemMore}>{schemeWords[scheme].label}</span>
            <span className={styles.itemMore}>
              {active ? (
                <Outcome tone={workflows.length === 0 ? 'quiet' : 'good'}>
                  {workflows.length === 0
                    ? 'No workflow listens'
                    : `${countThings(workflows.length, 'workflow')} listening`}
                </Outcome>
              ) : (
                <Outcome tone="quiet">Switched off</Outcome>
              )}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
