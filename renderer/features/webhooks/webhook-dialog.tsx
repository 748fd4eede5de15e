import { Check, Plus } from 'lucide-react';
import { useState } from 'react';
import { webhookKinds, type HookView } from '../../../core/contract/webhook-views.ts';
import { Checkbox, Segmented, Select } from '../../ui/choices.tsx';
import { FieldErrorLine, TextField } from '../../ui/fields.tsx';
import controls from '../../ui/fields.module.css';
import { useWebhookMutation } from '../../api/webhook-queries.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { GitHubAppFields, EventPicker } from './app-fields.tsx';
import { SecretField, EditConflictNotice } from './secret-field.tsx';
import {
  isRate,
  ownerOptions,
  type WebhookForm,
  emptyWebhook,
  toWebhookForm,
  toWebhookRequest,
} from './webhook-form.ts';
import styles from './webhooks.module.css';

interface WebhookFieldsProps {
  readonly form: WebhookForm;
  readonly isNew: boolean;
  readonly hasError: boolean;
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

/** The fields of a webhook: first those that every webhook needs. */
function WebhookFields({ form, isNew, hasError, onChange }: WebhookFieldsProps) {
  const [isExpanded, setExpanded] = useState(!isNew);
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
      <div className={styles.group}>
        <span className={controls.label}>Events</span>
        <EventPicker kind={form.kind} value={form.events} onChange={(events) => set({ events })} />
        <FieldErrorLine name="events" value={form.events.join(' ')} />
      </div>
      {isNew && (
        <SecretField
          label="Secret"
          name="secret"
          value={form.secret}
          onChange={(secret) => set({ secret })}
          description="Signs every delivery. Not shown again."
        />
      )}
      {/* A rejected field must be visible. */}
      <details
        className={styles.advanced}
        open={isExpanded || hasError}
        onToggle={(event) => setExpanded(event.currentTarget.open)}
      >
        <summary>Advanced</summary>
        {isNew && <Scope form={form} set={set} />}
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
      </details>
    </>
  );
}

/** The scope of the events, as on GitHub. By default the events of this home. */
function Scope({ form, set }: DeliveryProps) {
  return (
    <div className={styles.webhookFieldsPair}>
      <Select
        label="Scope"
        isLabelled
        value={form.kind}
        choices={webhookKinds.map((value) => ({ value, label: value }))}
        onChange={(kind) => set({ kind, owner: ownerOptions[kind].localOwner, events: ['*'] })}
      />
      <TextField
        label="Scope name"
        name="owner"
        value={form.owner}
        onChange={(owner) => set({ owner })}
        description={ownerOptions[form.kind].help}
      />
    </div>
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

interface WebhookDialogProps {
  /** The webhook to edit; absent to create one. */
  readonly hook?: HookView;
  readonly onDone?: (webhook: HookView) => void;
  readonly onClose: () => void;
}

/** Creates or edits a webhook. If the engine rejects the request, the dialog says why. */
export function WebhookDialog({ hook: webhook, onDone, onClose }: WebhookDialogProps) {
  const [form, setForm] = useState(() => (webhook === undefined ? emptyWebhook : toWebhookForm(webhook)));
  const create = useWebhookMutation('webhooks.create');
  const update = useWebhookMutation('webhooks.update');
  const done = (made: HookView): void => {
    onDone?.(made);
    onClose();
  };
  const submit = (): void => {
    const { kind, owner, secret, ...settings } = toWebhookRequest(form, webhook?.options);
    if (webhook !== undefined) update.mutate({ hookId: webhook.id, ...settings }, { onSuccess: done });
    else create.mutate({ kind, owner, ...settings, ...(secret !== '' && { secret }) }, { onSuccess: done });
  };
  const isPending = create.isPending || update.isPending;
  const error = create.error ?? update.error;
  return (
    <FormDialog
      title={webhook === undefined ? 'New webhook' : 'Edit webhook'}
      submit={{
        label: webhook === undefined ? createLabel(form) : 'Save',
        icon: webhook === undefined ? Plus : Check,
        isPending,
        isBlocked:
          form.url.trim() === '' ||
          form.owner.trim() === '' ||
          form.events.length === 0 ||
          !isRate(form.perSecond) ||
          form.installations.some(({ account }) => account.trim() === ''),
      }}
      error={error}
      onSubmit={submit}
      onClose={onClose}
    >
      {webhook && <EditConflictNotice what="webhook" updatedAt={webhook.updatedAt} isSaving={isPending} />}
      <WebhookFields form={form} isNew={webhook === undefined} hasError={error !== null} onChange={setForm} />
    </FormDialog>
  );
}

/** A sponsored account has no `ping`, and an inactive webhook receives nothing. */
const createLabel = ({ kind, active }: WebhookForm): string =>
  active && kind !== 'sponsored' ? 'Create and ping' : 'Create';
