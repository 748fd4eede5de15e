import { Check, Plus } from 'lucide-react';
import { useState } from 'react';
import type { ReceiverView } from '../../../core/contract/receivers.ts';
import { receiverMethods, verifiesBody } from '../../../core/model/webhook.ts';
import { Checkbox, Select } from '../../ui/choices.tsx';
import { TextField } from '../../ui/fields.tsx';
import { useWebhookMutation } from '../../api/webhook-queries.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import styles from './webhooks.module.css';
import { SecretField, EditConflictNotice } from './secret-field.tsx';

/** Labels of the authentication schemes of senders. */
export const schemeLabels: Readonly<
  Record<ReceiverView['scheme'], { readonly label: string; readonly help: string }>
> = {
  platform: {
    label: 'X-Hub-Signature-256',
    help: 'Signature of GitHub and Meta. Verify token for Meta: the last part of the URL.',
  },
  standard: {
    label: 'Standard Webhooks',
    help: 'Standard Webhooks headers. Secrets start with whsec_.',
  },
  bearer: {
    label: 'Bearer token',
    help: 'Secret in the Authorization header. Use HTTPS only.',
  },
  slack: {
    label: 'Slack',
    help: 'Signing secret of the Slack app. The URL verification is answered.',
  },
  stripe: {
    label: 'Stripe',
    help: 'Signing secret of the Stripe endpoint, which starts with whsec_.',
  },
  gitlab: {
    label: 'GitLab',
    help: 'Secret token of the GitLab webhook. Use HTTPS only.',
  },
  microsoft: {
    label: 'Microsoft Graph',
    help: 'The secret is the clientState of the subscription. The validation is answered.',
  },
  basic: {
    label: 'Basic authentication',
    help: 'The secret is user:password. Use HTTPS only.',
  },
  header: {
    label: 'Header',
    help: 'The secret is a header, such as X-Api-Key: value. Use HTTPS only.',
  },
};

/** Form state of a receiver. */
interface ReceiverForm extends Pick<ReceiverView, 'name' | 'scheme' | 'methods' | 'allowSha1' | 'active'> {
  readonly secret: string;
}

interface ReceiverFieldsProps {
  readonly form: ReceiverForm;
  readonly isNew: boolean;
  readonly onChange: (change: Partial<ReceiverForm>) => void;
}

/** At least POST. */
function withoutGet(methods: ReceiverView['methods']): ReceiverView['methods'] {
  const others = methods.filter((method) => method !== 'GET');
  return others.length === 0 ? ['POST'] : others;
}

const schemes = Object.entries(schemeLabels).map(([value, { label }]) => ({
  value: value as ReceiverView['scheme'],
  label,
}));

/** Allowed HTTP methods. A scheme that verifies the body does not allow GET. */
function MethodFields({ form: { scheme, methods }, onChange }: Omit<ReceiverFieldsProps, 'isNew'>) {
  return (
    <fieldset className={styles.choices}>
      <legend>Allowed methods</legend>
      {receiverMethods.map((method) => (
        <Checkbox
          key={method}
          label={method}
          isSelected={methods.includes(method)}
          isDisabled={method === 'GET' && verifiesBody(scheme)}
          onChange={(isSelected) =>
            onChange({
              methods: receiverMethods.filter((one) => (one === method ? isSelected : methods.includes(one))),
            })
          }
        />
      ))}
      <p>{verifiesBody(scheme) ? 'GET has no body to verify.' : 'For GET, the query is the payload.'}</p>
    </fieldset>
  );
}

/** The fields of a receiver. */
function ReceiverFields({ form, isNew, onChange: set }: ReceiverFieldsProps) {
  const { name, scheme, secret, allowSha1, active } = form;
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
            onChange={(chosen) =>
              set({
                scheme: chosen,
                methods: verifiesBody(chosen) ? withoutGet(form.methods) : form.methods,
              })
            }
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
      <MethodFields form={form} onChange={set} />
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

interface ReceiverDialogProps {
  /** The receiver to edit; absent to create one. */
  readonly receiver?: ReceiverView;
  readonly onDone?: (receiver: ReceiverView) => void;
  readonly onClose: () => void;
}

const empty: ReceiverForm = {
  name: '',
  scheme: 'platform',
  methods: ['POST'],
  secret: '',
  allowSha1: false,
  active: true,
};

/** Creates or edits a receiver. If the engine rejects the request, the dialog says why. */
export function ReceiverDialog({ receiver, onDone, onClose }: ReceiverDialogProps) {
  const [form, setForm] = useState<ReceiverForm>({ ...empty, ...receiver });
  const create = useWebhookMutation('receivers.create');
  const update = useWebhookMutation('receivers.update');
  const isNew = receiver === undefined;
  const done = (made: ReceiverView): void => {
    onDone?.(made);
    onClose();
  };
  const submit = (): void => {
    const { name, scheme, secret, methods, allowSha1, active } = form;
    const settings = { name: name.trim(), methods, allowSha1, active };
    if (isNew) create.mutate({ ...settings, scheme, secrets: [secret] }, { onSuccess: done });
    else update.mutate({ ...settings, receiverId: receiver.id }, { onSuccess: done });
  };
  return (
    <FormDialog
      title={isNew ? 'New receiver' : `Edit ${receiver.name}`}
      submit={{
        label: isNew ? 'Create receiver' : 'Save',
        icon: isNew ? Plus : Check,
        isPending: create.isPending || update.isPending,
        isBlocked: form.name.trim() === '' || form.methods.length === 0 || (isNew && form.secret === ''),
      }}
      error={create.error ?? update.error}
      onSubmit={submit}
      onClose={onClose}
    >
      {receiver && (
        <EditConflictNotice what="receiver" updatedAt={receiver.updatedAt} isSaving={update.isPending} />
      )}
      <ReceiverFields form={form} isNew={isNew} onChange={(change) => setForm({ ...form, ...change })} />
    </FormDialog>
  );
}
