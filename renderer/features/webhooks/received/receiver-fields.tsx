import type { ReceiverView } from '../../../../core/contract/webhooks/receivers.ts';
import { Checkbox } from '../../../ui/controls/checkbox.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { TextField } from '../../../ui/controls/text-field.tsx';
import { SecretField } from '../exchange/secret-field.tsx';
import { schemeLabels } from './scheme-labels.ts';

/** Form state of a receiver. */
export interface ReceiverForm extends Pick<ReceiverView, 'name' | 'scheme' | 'allowSha1' | 'active'> {
  readonly secret: string;
}

interface ReceiverFieldsProps {
  readonly form: ReceiverForm;
  readonly isNew: boolean;
  readonly onChange: (form: ReceiverForm) => void;
}

const schemes = Object.entries(schemeLabels).map(([value, { label }]) => ({
  value: value as ReceiverView['scheme'],
  label,
}));

/** The fields of a receiver. */
export function ReceiverFields({ form, isNew, onChange }: ReceiverFieldsProps) {
  const { name, scheme, secret, allowSha1, active } = form;
  const set = (change: Partial<ReceiverForm>): void => onChange({ ...form, ...change });
  return (
    <>
      <TextField
        label="Name"
        name="name"
        value={name}
        onChange={(typed) => set({ name: typed })}
        autoFocus
        description="Letters, digits, _, . and -"
      />
      {isNew && (
        <>
          <Select
            label="Authentication"
            isLabelled
            value={scheme}
            choices={schemes}
            onChange={(chosen) => set({ scheme: chosen })}
            description={schemeLabels[scheme].help}
          />
          <SecretField
            label={scheme === 'bearer' ? 'Token' : 'Secret'}
            name="secrets"
            value={secret}
            onChange={(typed) => set({ secret: typed })}
            description="Configure the same value in the sender. Not shown again."
          />
        </>
      )}
      {scheme === 'platform' && (
        <Checkbox
          label="Accept SHA-1 signatures"
          isSelected={allowSha1}
          onChange={(chosen) => set({ allowSha1: chosen })}
        />
      )}
      <Checkbox label="Enabled" isSelected={active} onChange={(chosen) => set({ active: chosen })} />
    </>
  );
}
