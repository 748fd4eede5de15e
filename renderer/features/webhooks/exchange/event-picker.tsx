import { useState } from 'react';
import type { WebhookKind } from '../../../../core/contract/webhooks/events.ts';
import { useWebhookEvents } from '../../../api/queries/webhook-queries.ts';
import { Checkbox } from '../../../ui/controls/checkbox.tsx';
import { SearchField } from '../../../ui/controls/search-field.tsx';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import list from '../../../ui/list/list.module.css';
import styles from './event-picker.module.css';

interface EventPickerProps {
  readonly kind: WebhookKind;
  /** Event names; `*` alone means all. */
  readonly value: readonly string[];
  readonly onChange: (value: string[]) => void;
}

const scopes = [
  { value: 'all', label: 'All' },
  { value: 'chosen', label: 'Selected' },
] as const;

/** Selects the events of a webhook: all available ones, or some. */
export function EventPicker({ kind, value, onChange }: EventPickerProps) {
  const [filterText, setFilterText] = useState('');
  const catalog = useWebhookEvents().data ?? [];
  const isAll = value.includes('*');
  const offered = catalog.filter(
    ({ name, availability, rules }) =>
      availability.includes(kind) &&
      rules.selectable !== false &&
      name.includes(filterText.trim().toLowerCase()),
  );
  const toggle = (name: string, isChosen: boolean): void =>
    onChange(isChosen ? [...value, name] : value.filter((other) => other !== name));
  return (
    <div className={styles.picker}>
      <Segmented
        label="Events"
        value={isAll ? 'all' : 'chosen'}
        choices={scopes}
        onChange={(scope) => onChange(scope === 'all' ? ['*'] : [])}
      />
      {!isAll && (
        <>
          <SearchField
            label="Search events"
            placeholder="Search events"
            value={filterText}
            onChange={setFilterText}
          />
          <ul className={`${list.choices} ${styles.events}`} aria-label="Events">
            {offered.map(({ name, described }) => (
              <li key={name} title={described}>
                <Checkbox
                  label={name}
                  isSelected={value.includes(name)}
                  onChange={(isChosen) => toggle(name, isChosen)}
                />
              </li>
            ))}
          </ul>
          <span className={styles.count} role="status">
            {value.length} selected of {offered.length}
          </span>
        </>
      )}
    </div>
  );
}
