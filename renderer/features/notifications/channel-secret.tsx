import { Link } from 'wouter';
import type { ChannelSecretField } from '../../../core/model/notification.ts';
import { useSecrets } from '../../api/config-queries.ts';
import { paths } from '../../navigation/address.ts';
import { Checkbox, Select } from '../../ui/choices.tsx';
import { PasswordField } from '../../ui/fields.tsx';
import { Notice, QueryState } from '../../ui/state.tsx';
import styles from './notifications.module.css';

interface ChannelSecretProps {
  readonly label: string;
  readonly field: ChannelSecretField;
  readonly value: string;
  /** Name of the stored secret, empty if none is chosen yet; absent if the value is entered. */
  readonly storedName: string | undefined;
  readonly isRequired: boolean;
  readonly description: string;
  readonly onEnter: (value: string) => void;
  readonly onChooseStored: (name: string | undefined) => void;
}

/** A secret of a channel: entered here, or the name of a stored secret. */
export function ChannelSecret({ label, field, storedName, onChooseStored, ...entry }: ChannelSecretProps) {
  const { onEnter, ...texts } = entry;
  return (
    <div className={styles.secret}>
      {storedName === undefined ? (
        <PasswordField label={label} name={field} kind="new" onChange={onEnter} {...texts} />
      ) : (
        <StoredSecret label={label} name={storedName} onChange={onChooseStored} />
      )}
      <Checkbox
        label={`${label} from a stored secret`}
        isSelected={storedName !== undefined}
        onChange={(isStored) => onChooseStored(isStored ? '' : undefined)}
      />
    </div>
  );
}

interface StoredSecretProps {
  readonly label: string;
  readonly name: string;
  readonly onChange: (name: string) => void;
}

function StoredSecret({ label, name, onChange }: StoredSecretProps) {
  return (
    <QueryState query={useSecrets()} what="The secrets">
      {({ secrets }) => {
        const stored = secrets.filter(({ changedAt }) => changedAt !== undefined);
        const choices = stored.map((secret) => ({ value: secret.name, label: secret.name }));
        const isMissing = name !== '' && stored.every((secret) => secret.name !== name);
        if (choices.length === 0 && !isMissing)
          return (
            <Notice tone="info">
              No stored secrets yet. Add one under <Link href={paths.secrets}>Secrets</Link>.
            </Notice>
          );
        return (
          <Select
            label={label}
            isLabelled
            value={name}
            choices={isMissing ? [{ value: name, label: `${name} (not found)` }, ...choices] : choices}
            onChange={onChange}
            description="Stored secret, read when a notification is sent"
          />
        );
      }}
    </QueryState>
  );
}
