import { useWebhookEvents } from '../../../api/queries/webhook-queries.ts';
import { Select } from '../../../ui/controls/select.tsx';
import styles from './compose.module.css';

/** An event of the catalog, with a specific action or any. */
export interface SelectedEvent {
  readonly event: string;
  /** Empty to use the action of the example. */
  readonly action: string;
}

interface EventChoiceProps {
  readonly value: SelectedEvent;
  readonly onChange: (value: SelectedEvent) => void;
}

/** Selects the event. */
export function EventChoice({ value: { event, action }, onChange }: EventChoiceProps) {
  const catalog = useWebhookEvents().data ?? [];
  const actions = catalog.find(({ name }) => name === event)?.actions ?? [];
  return (
    <div className={styles.pair}>
      <Select
        label="Event"
        isLabelled
        value={event}
        choices={catalog.map(({ name }) => ({ value: name, label: name }))}
        onChange={(chosen) => onChange({ event: chosen, action: '' })}
      />
      {actions !== 'any' && actions.length > 0 && (
        <Select
          label="Action"
          isLabelled
          value={action}
          choices={[
            { value: '', label: 'From example' },
            ...actions.map((value) => ({ value, label: value })),
          ]}
          onChange={(chosen) => onChange({ event, action: chosen })}
        />
      )}
    </div>
  );
}
