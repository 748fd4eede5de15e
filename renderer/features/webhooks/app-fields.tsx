import { useState } from 'react';
import { Plus, Trash2 } from 'lucide-react';
import type { WebhookKind, WebhookEventView } from '../../../core/contract/webhook-views.ts';
import { useWebhookEvents } from '../../api/webhook-queries.ts';
import { Checkbox, Segmented } from '../../ui/choices.tsx';
import { SearchField, TextField } from '../../ui/fields.tsx';
import list from '../../ui/list/list.module.css';
import { Button, IconButton } from '../../ui/button.tsx';
import controls from '../../ui/fields.module.css';
import styles from './webhooks.module.css';
import type { AppForm, InstallationForm } from './webhook-form.ts';

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

interface AppFieldsProps {
  /** The selected events. */
  readonly events: readonly string[];
  readonly form: AppForm;
  readonly set: (change: Partial<AppForm>) => void;
}

const levels = [
  { value: 'none', label: 'None' },
  { value: 'read', label: 'Read' },
  { value: 'write', label: 'Write' },
] as const;

/** Additional fields of an app: its permissions and its installations. */
export function GitHubAppFields({ events, form, set }: AppFieldsProps) {
  const catalog = useWebhookEvents().data ?? [];
  const { permissions } = form;
  const change = (label: string, level: 'none' | 'read' | 'write'): void => {
    const { [label]: _, ...others } = permissions;
    set({ permissions: level === 'none' ? others : { ...others, [label]: level } });
  };
  return (
    <>
      <div className={styles.group}>
        <span className={controls.label}>Permissions</span>
        <ul className={`${list.choices} ${styles.permissions}`} aria-label="Permissions">
          {listLabels(catalog, events, permissions).map((label) => (
            <li key={label}>
              <span>{label}</span>
              <Segmented
                label={label}
                value={permissions[label] ?? 'none'}
                choices={levels}
                onChange={(level) => change(label, level)}
              />
            </li>
          ))}
        </ul>
        <span className={controls.help}>Events require read access; some actions require write access.</span>
      </div>
      <Installations value={form.installations} onChange={(installations) => set({ installations })} />
    </>
  );
}

/** Returns labels of the permissions: those required by the events, and those granted. */
function listLabels(
  catalog: readonly WebhookEventView[],
  events: readonly string[],
  permissions: AppForm['permissions'],
): string[] {
  const subscribed = catalog.filter(
    ({ name, availability }) =>
      availability.includes('app') && (events.includes('*') || events.includes(name)),
  );
  const labels = subscribed.flatMap(({ permission }) => permission?.labels ?? []);
  return [...new Set([...labels, ...Object.keys(permissions)])].sort();
}

interface InstallationsProps {
  readonly value: readonly InstallationForm[];
  readonly onChange: (value: readonly InstallationForm[]) => void;
}

function Installations({ value, onChange }: InstallationsProps) {
  const edit = (id: number, change: Partial<InstallationForm>): void =>
    onChange(value.map((one) => (one.id === id ? { ...one, ...change } : one)));
  const add = (): void =>
    onChange([
      ...value,
      { id: Math.max(0, ...value.map(({ id }) => id)) + 1, account: '', repositories: '' },
    ]);
  return (
    <div className={styles.group}>
      <span className={controls.label}>Installations</span>
      {value.length === 0 && <span className={controls.help}>All</span>}
      {value.map(({ id, account, repositories }, index) => (
        <div key={id} className={styles.installation} role="group" aria-label={`Installation ${id}`}>
          <TextField
            label={`Account of installation ${id}`}
            name={`options.installations.${index}.account`}
            value={account}
            onChange={(typed) => edit(id, { account: typed })}
            isRequired
          />
          <TextField
            label="Repositories (blank for all)"
            name={`options.installations.${index}.repositories`}
            value={repositories}
            onChange={(typed) => edit(id, { repositories: typed })}
          />
          <IconButton
            label={`Remove installation ${id}`}
            icon={Trash2}
            onPress={() => onChange(value.filter((one) => one.id !== id))}
          />
        </div>
      ))}
      <Button size="small" icon={Plus} onPress={add}>
        Add installation
      </Button>
    </div>
  );
}
