import { webhookKinds } from '../../../../core/contract/webhooks/events.ts';
import { Checkbox } from '../../../ui/controls/checkbox.tsx';
import { FieldErrorLine } from '../../../ui/controls/field-error-scope.tsx';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { TextField } from '../../../ui/controls/text-field.tsx';
import controls from '../../../ui/controls/controls.module.css';
import { GitHubAppFields } from './app-fields.tsx';
import { EventPicker } from '../exchange/event-picker.tsx';
import { SecretField } from '../exchange/secret-field.tsx';
import { isRate, ownerOptions, type WebhookForm } from './webhook-form.ts';
import styles from './webhook-fields.module.css';

interface WebhookFieldsProps {
  readonly form: WebhookForm;
  readonly isNew: boolean;
  readonly onChange: (form: WebhookForm) => void;
}

const formats = [
  { value: 'json', label: 'JSON' },
  { value: 'form', label: 'Form' },
] as const;

/** Switches for delivery and its options. */
const switches = [
  { field: 'active', label: 'Enabled' },
  { field: 'retry', label: 'Retry failed deliveries' },
  { field: 'ordered', label: 'Deliver in order' },
  { field: 'verifyTls', label: 'Verify TLS certificates' },
  { field: 'allowPrivate', label: 'Allow localhost and private networks' },
  { field: 'githubHeaders', label: 'Also send X-GitHub-* headers' },
] as const;

/** The fields of a webhook. */
export function WebhookFields({ form, isNew, onChange }: WebhookFieldsProps) {
  const set = (change: Partial<WebhookForm>): void => onChange({ ...form, ...change });
  return (
    <>
      <TextField
        label="URL"
        name="url"
        value={form.url}
        onChange={(url) => set({ url })}
        autoFocus
        description="HTTP or HTTPS, without credentials"
      />
      {isNew && (
        <div className={styles.pair}>
          <Select
            label="Scope"
            isLabelled
            value={form.kind}
            choices={webhookKinds.map((value) => ({ value, label: value }))}
            onChange={(kind) => set({ kind, owner: ownerOptions[kind].own, events: ['*'] })}
          />
          <TextField
            label="Scope name"
            name="owner"
            value={form.owner}
            onChange={(owner) => set({ owner })}
            description={ownerOptions[form.kind].help}
          />
        </div>
      )}
      {isNew && (
        <SecretField
          label="Secret"
          name="secret"
          value={form.secret}
          onChange={(secret) => set({ secret })}
          description="Signs every delivery. Not shown again."
        />
      )}
      <div className={styles.group}>
        <span className={controls.label}>Events</span>
        <EventPicker kind={form.kind} value={form.events} onChange={(events) => set({ events })} />
        <FieldErrorLine name="events" value={form.events.join(' ')} />
      </div>
      {form.kind === 'app' && <GitHubAppFields events={form.events} form={form} set={set} />}
      <div className={styles.group}>
        <span className={controls.label}>Body</span>
        <Segmented
          label="Body"
          value={form.format}
          choices={formats}
          onChange={(format) => set({ format })}
        />
      </div>
      <Delivery form={form} set={set} />
    </>
  );
}

interface DeliveryProps {
  readonly form: WebhookForm;
  readonly set: (change: Partial<WebhookForm>) => void;
}

/** Delivery options. */
function Delivery({ form, set }: DeliveryProps) {
  return (
    <div className={styles.group}>
      <span className={controls.label}>Delivery</span>
      {switches.map(({ field, label }) => (
        <Checkbox
          key={field}
          label={label}
          isSelected={form[field]}
          onChange={(isOn) => set({ [field]: isOn })}
        />
      ))}
      <TextField
        label="Rate limit (per second)"
        name="options.perSecond"
        value={form.perSecond}
        onChange={(perSecond) => set({ perSecond })}
        description="Blank for no limit"
        error={isRate(form.perSecond) ? undefined : 'Enter a number such as 2 or 0.5, or leave blank.'}
      />
    </div>
  );
}
