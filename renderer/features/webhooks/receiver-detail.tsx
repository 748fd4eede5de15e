import { Trash2, Ellipsis, KeyRound, Pencil, Send } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { ReceiverView } from '../../../core/contract/receivers.ts';
import type { OperationOutput } from '../../../core/contract/operations.ts';
import { useBridge } from '../../api/bridge.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Notice } from '../../ui/state.tsx';
import { useWebhookMutation } from '../../api/webhook-queries.ts';
import { useQueryParams, paths } from '../../navigation/address.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { showToast, CopyButton } from '../../ui/toasts.tsx';
import { useCan } from '../../api/session-queries.ts';
import { ActionMenu } from '../../ui/menu.tsx';
import { Segmented } from '../../ui/choices.tsx';
import { DetailList } from '../../ui/detail-list.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import { TextField } from '../../ui/fields.tsx';
import { useDesktopChange, useDesktopQuery } from '../settings/desktop-queries.ts';
import { RotateSecretDialog } from './secret-field.tsx';
import { ReceiverDialog, schemeLabels } from './receiver-dialog.tsx';
import styles from './webhooks.module.css';
import { ReceivedTable } from './received-table.tsx';

/**
 * How to make a receiver's address reachable from the desktop app, which opens no port itself. In a browser
 * there is a server that accepts requests.
 */
function ReceiverReachabilityNotice() {
  const { desktop } = useBridge();
  return desktop === undefined ? null : <DesktopNotice />;
}

function DesktopNotice() {
  const service = useDesktopQuery('service.status').data;
  const change = useDesktopChange('service.change', 'service.status');
  if (service === undefined || service.running) return null;
  return (
    <Notice
      tone="warning"
      action={
        <Button
          size="small"
          isPending={change.isPending}
          unavailable={service.installed ? undefined : service.problem}
          onPress={() => change.mutate({ action: service.installed ? 'start' : 'install' })}
        >
          Run as a service
        </Button>
      }
    >
      The desktop app does not listen on a port. To receive requests, run the engine as a service or start{' '}
      <code>engine start-all</code>.
    </Notice>
  );
}

interface DeleteReceiverDialogProps {
  readonly receiver: ReceiverView;
  readonly onClose: () => void;
}

/** Confirms deleting a receiver. */
function DeleteReceiverDialog({ receiver, onClose }: DeleteReceiverDialogProps) {
  const remove = useWebhookMutation('receivers.delete');
  const [, change] = useQueryParams();
  const done = (): void => {
    change({ receiver: undefined, received: undefined });
    showToast('info', `Receiver ${receiver.name} deleted.`);
    onClose();
  };
  return (
    <FormDialog
      title={`Delete receiver ${receiver.name}?`}
      submit={{ label: 'Delete receiver', icon: Trash2, isDanger: true, isPending: remove.isPending }}
      error={remove.error}
      onSubmit={() => remove.mutate({ receiverId: receiver.id }, { onSuccess: done })}
      onClose={onClose}
    >
      <p>
        The URL stops working and received requests are deleted. Runs are kept.
        {receiver.workflows.length > 0 && ' Workflows that use it are no longer started.'} This cannot be
        undone.
      </p>
    </FormDialog>
  );
}

/** Actions on a receiver. */
function ReceiverActions({ receiver }: { readonly receiver: ReceiverView }) {
  const [asking, setAsking] = useState<'edit' | 'rotate' | 'delete' | 'sample'>();
  const maySend = useCan('receivers.sendSample');
  const may = useCan('receivers.update');
  const close = (): void => setAsking(undefined);
  return (
    <>
      <Button size="small" icon={Send} unavailable={maySend.reason} onPress={() => setAsking('sample')}>
        Send a sample…
      </Button>
      <Button size="small" icon={Pencil} unavailable={may.reason} onPress={() => setAsking('edit')}>
        Edit…
      </Button>
      <ActionMenu
        label="More actions"
        actions={[
          {
            id: 'rotate',
            label: 'Change secret…',
            icon: KeyRound,
            unavailable: may.reason,
            run: () => setAsking('rotate'),
          },
          {
            id: 'delete',
            label: 'Delete…',
            icon: Trash2,
            isDanger: true,
            beginsGroup: true,
            unavailable: may.reason,
            run: () => setAsking('delete'),
          },
        ]}
      >
        <IconButton label="More actions" icon={Ellipsis} />
      </ActionMenu>
      {asking === 'sample' && <SampleDialog receiver={receiver} onClose={close} />}
      {asking === 'edit' && <ReceiverDialog receiver={receiver} onClose={close} />}
      {asking === 'rotate' && <RotateReceiverSecret receiver={receiver} onClose={close} />}
      {asking === 'delete' && <DeleteReceiverDialog receiver={receiver} onClose={close} />}
    </>
  );
}

const hourSec = 3600;

/** Sets a new secret of a receiver; the previous one stays valid for a while. */
function RotateReceiverSecret({
  receiver,
  onClose,
}: {
  readonly receiver: ReceiverView;
  readonly onClose: () => void;
}) {
  const rotate = useWebhookMutation('receivers.rotate');
  return (
    <RotateSecretDialog
      title={`Change secret of ${receiver.name}`}
      overlap="Both secrets are accepted during this time."
      change={rotate}
      onRotate={(secret, hours, onSuccess) =>
        rotate.mutate({ receiverId: receiver.id, secret, overlapSec: hours * hourSec }, { onSuccess })
      }
      onClose={onClose}
    />
  );
}

const signatureFilterOptions = [
  { value: 'all', label: 'All' },
  { value: 'verified', label: 'Verified' },
  { value: 'refused', label: 'Rejected' },
] as const;
type DeliveryFilter = (typeof signatureFilterOptions)[number]['value'];

/** One receiver: its address, its listening workflows, and its deliveries. */
export function ReceiverDetail({ receiver }: { readonly receiver: ReceiverView }) {
  const [shown, setShown] = useState<DeliveryFilter>('all');
  return (
    <section className={styles.detail} aria-label={`Receiver ${receiver.name}`}>
      <header className={styles.detailHead}>
        <div className={styles.detailTitle}>
          <h2>{receiver.name}</h2>
          <span className={`${styles.facts} ${styles.address}`}>
            <code>{receiver.url}</code>
            <CopyButton label="Copy URL" text={receiver.url} />
          </span>
          <ReceiverDetails receiver={receiver} />
        </div>
        <div className={styles.detailActions}>
          <ReceiverActions receiver={receiver} />
        </div>
      </header>
      <ReceiverReachabilityNotice />
      {!receiver.active && <Notice tone="info">This receiver is disabled. Requests are rejected.</Notice>}
      <div className={styles.bar}>
        <Segmented label="Filter" value={shown} choices={signatureFilterOptions} onChange={setShown} />
      </div>
      <ReceivedTable receiver={receiver} filter={shown === 'all' ? {} : { verified: shown === 'verified' }} />
    </section>
  );
}

function ReceiverDetails({ receiver }: { readonly receiver: ReceiverView }) {
  const { scheme, secrets, methods, allowSha1, workflows } = receiver;
  const former = secrets.find(({ until }) => until !== undefined)?.until;
  return (
    <div className={styles.facts}>
      <DetailList>
        <span>{schemeLabels[scheme].label}</span>
        {methods.join() !== 'POST' && <span>{methods.join(', ')}</span>}
        {allowSha1 && <span>SHA-1 accepted</span>}
        {former !== undefined && (
          <span>
            previous secret expires <RelativeTime iso={former} />
          </span>
        )}
        {workflows.length === 0 ? (
          <span>no workflows</span>
        ) : (
          <span className={styles.runs}>
            {' '}
            triggers{' '}
            {workflows.map((fileName) => (
              <Link key={fileName} href={paths.workflow(fileName)}>
                {fileName}
              </Link>
            ))}
          </span>
        )}
      </DetailList>
    </div>
  );
}

interface SampleDialogProps {
  readonly receiver: ReceiverView;
  readonly onClose: () => void;
}

/** Sends a signed sample to the running server, and shows its response and the started runs. */
function SampleDialog({ receiver, onClose }: SampleDialogProps) {
  const [event, setEvent] = useState('');
  const send = useWebhookMutation('receivers.sendSample');
  const name = event.trim();
  return (
    <FormDialog
      title={`Send a sample to ${receiver.name}`}
      submit={{ label: 'Send', icon: Send, isPending: send.isPending }}
      error={send.error}
      onSubmit={() => send.mutate({ receiverId: receiver.id, ...(name !== '' && { event: name }) })}
      onClose={onClose}
    >
      <p>Signs a typical payload with the secret of the receiver and sends it to the running server.</p>
      <TextField
        label="Event"
        name="event"
        value={event}
        onChange={setEvent}
        autoFocus
        description="Default: a typical event of the sender."
      />
      {send.data && <SampleResponse sent={send.data} />}
    </FormDialog>
  );
}

function SampleResponse({ sent }: { readonly sent: OperationOutput<'receivers.sendSample'> }) {
  const { status, body, delivery } = sent;
  const isAccepted = status < 300;
  const runs = delivery?.runs ?? [];
  const skipped = delivery?.decisions.filter(({ reason }) => reason !== undefined) ?? [];
  return (
    <Notice tone={isAccepted ? 'info' : 'warning'}>
      <p role="status">
        {isAccepted ? `Accepted (${status}).` : `Rejected (${status}): ${body}`}
        {isAccepted && runs.length === 0 && ' No workflow started.'}
      </p>
      {runs.map(({ name, dagRunId }) => (
        <p key={dagRunId}>
          Started <Link href={paths.run(name, dagRunId)}>{name}</Link>
        </p>
      ))}
      {skipped.map(({ workflow, trigger, reason }) => (
        <p key={`${workflow}/${trigger}`}>
          {workflow}: {reason}
        </p>
      ))}
    </Notice>
  );
}
