import { Check, Plus, Send, Trash2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ChannelView } from '../../../core/contract/notifications.ts';
import type { OperationOutput } from '../../../core/contract/operations.ts';
import { toAppError } from '../../../core/base/errors.ts';
import { useNotificationMutation } from '../../api/notification-queries.ts';
import { formatDuration } from '../../format/time.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/choices.tsx';
import { Dialog, DialogActions, FormDialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Notice } from '../../ui/state.tsx';
import { Outcome } from '../webhooks/request-table.tsx';
import { EditConflictNotice } from '../webhooks/secret-field.tsx';
import {
  ChannelFields,
  type ChannelForm,
  isIncomplete,
  kindChoices,
  kindLabels,
  toChannelForm,
  toChannelInput,
} from './channel-form.tsx';
import styles from './notifications.module.css';

interface ChannelDialogProps {
  /** The channel to edit; absent to create one. */
  readonly channel?: ChannelView;
  /** Called with a new channel. */
  readonly onDone?: (channel: ChannelView) => void;
  readonly onClose: () => void;
}

/** Creates or edits a channel. If the engine rejects the request, the dialog says why. */
export function ChannelDialog({ channel, onDone, onClose }: ChannelDialogProps) {
  const [form, setForm] = useState<ChannelForm>(() => toChannelForm(channel));
  const create = useNotificationMutation('channels.create');
  const update = useNotificationMutation('channels.update');
  const isNew = channel === undefined;
  const submit = (): void => {
    const input = toChannelInput(form);
    if (isNew)
      create.mutate(
        { kind: form.kind, ...input },
        {
          onSuccess: (made) => {
            onClose();
            onDone?.(made);
          },
        },
      );
    else update.mutate({ channelId: channel.id, ...input }, { onSuccess: onClose });
  };
  return (
    <FormDialog
      title={isNew ? 'New channel' : `Edit ${channel.name}`}
      submit={{
        label: isNew ? 'Create and test' : 'Save',
        icon: isNew ? Plus : Check,
        isPending: create.isPending || update.isPending,
        isBlocked: isIncomplete(form, isNew),
      }}
      error={create.error ?? update.error}
      onSubmit={submit}
      onClose={onClose}
    >
      {channel && (
        <EditConflictNotice what="channel" updatedAt={channel.updatedAt} isSaving={update.isPending} />
      )}
      {isNew && (
        <Select
          label="Service"
          isLabelled
          value={form.kind}
          choices={kindChoices}
          onChange={(kind) => setForm({ ...form, kind })}
        />
      )}
      <TextField
        label="Name"
        name="name"
        value={form.name}
        onChange={(name) => setForm({ ...form, name })}
        autoFocus
        isRequired
        description="Letters, digits, _, . and -"
      />
      <ChannelFields form={form} isNew={isNew} onChange={setForm} />
    </FormDialog>
  );
}

/** Sends a test when it opens, and shows the response of the service. */
export function TestDialog({
  channel,
  onClose,
}: {
  readonly channel: ChannelView;
  readonly onClose: () => void;
}) {
  const { mutate, data, error, isPending } = useNotificationMutation('channels.test');
  useEffect(() => mutate({ channelId: channel.id }), [mutate, channel.id]);
  return (
    <Dialog title={`Test ${channel.name}`} onClose={onClose}>
      <div className={styles.test} role="status">
        {isPending && <p>Sending a test to {kindLabels[channel.kind]}…</p>}
        {error !== null && <Notice tone="error">{toAppError(error).message}</Notice>}
        {data !== undefined && <TestResult result={data} kind={channel.kind} />}
      </div>
      <DialogActions>
        <Button icon={Send} isPending={isPending} onPress={() => mutate({ channelId: channel.id })}>
          Send again
        </Button>
        <Button variant="primary" onPress={onClose}>
          Close
        </Button>
      </DialogActions>
    </Dialog>
  );
}

interface TestResultProps {
  readonly result: OperationOutput<'channels.test'>;
  readonly kind: ChannelView['kind'];
}

/** The response to a test. */
export function TestResult({ result, kind }: TestResultProps) {
  const { delivered, status, statusCode, durationMs, body = '' } = result;
  const code = statusCode === undefined || status.includes(String(statusCode)) ? '' : ` ${statusCode}`;
  return (
    <>
      <p>
        <Outcome tone={delivered ? 'good' : 'bad'}>
          {delivered ? `Accepted by ${kindLabels[kind]}${code}` : status}
        </Outcome>{' '}
        <span className={styles.faint}>in {formatDuration(durationMs)}</span>
      </p>
      {body.trim() !== '' && (
        <>
          <h3 className={styles.responseTitle}>Response</h3>
          <pre className={styles.response}>{body.trim()}</pre>
        </>
      )}
    </>
  );
}

/** Confirms deleting a channel. */
export function DeleteChannelDialog({
  channel,
  onClose,
}: {
  readonly channel: ChannelView;
  readonly onClose: () => void;
}) {
  const remove = useNotificationMutation('channels.delete');
  return (
    <FormDialog
      title={`Delete ${channel.name}?`}
      submit={{ label: 'Delete channel', icon: Trash2, isDanger: true, isPending: remove.isPending }}
      error={remove.error}
      onSubmit={() => remove.mutate({ channelId: channel.id }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>
        {channel.rules.length === 0
          ? 'Its sent notifications are deleted, too.'
          : `Used by ${channel.rules.join(', ')}. Change or delete these rules first.`}
      </p>
    </FormDialog>
  );
}
