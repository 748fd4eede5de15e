import { History, Inbox, RotateCw } from 'lucide-react';
import { useState, useMemo, useId } from 'react';
import { pluralize } from '../../../core/base/text.ts';
import type { HookView, MessageState, MessageView } from '../../../core/contract/webhook-views.ts';
import { parseExactJson } from '../../../core/spec/expand.ts';
import { systemClock } from '../../base/clock.ts';
import { useWebhookMutation, useWebhookMessages, type MessageFilter } from '../../api/webhook-queries.ts';
import { Select, Segmented } from '../../ui/choices.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { showToast, showError, CopyButton } from '../../ui/toasts.tsx';
import { useCan } from '../../api/session-queries.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState, QueryState } from '../../ui/state.tsx';
import table from '../../ui/list/list.module.css';
import { LoadMore } from '../../ui/list/list-end.tsx';
import { VirtualTable, type Column } from '../../ui/list/virtual-table.tsx';
import { TimestampCell } from '../../ui/time.tsx';
import { ScrollArea } from '../../ui/page.tsx';
import { EventName, Outcome, type OutcomeTone } from './request-table.tsx';
import styles from './webhooks.module.css';

const hourMs = 3_600_000;
const spans = [
  { value: '1', label: 'Last hour' },
  { value: '24', label: 'Last 24 hours' },
  { value: '168', label: 'Last 7 days' },
  { value: '720', label: 'Last 30 days' },
] as const;
const scopes = [
  { value: 'failed', label: 'Undelivered events' },
  { value: 'all', label: 'All' },
] as const;

interface ReplayDialogProps {
  readonly hook: HookView;
  readonly onClose: () => void;
}

/** Redelivers the events since a time to a webhook. */
export function ReplayDialog({ hook: webhook, onClose }: ReplayDialogProps) {
  const replay = useWebhookMutation('webhooks.replay');
  const [hours, setHours] = useState<(typeof spans)[number]['value']>('24');
  const [only, setOnly] = useState<(typeof scopes)[number]['value']>('failed');
  const submit = (): void =>
    replay.mutate(
      { hookId: webhook.id, only, since: new Date(systemClock.now() - Number(hours) * hourMs).toISOString() },
      {
        onSuccess: ({ replayed }) => {
          showToast('info', `${pluralize(replayed, 'event')} queued for redelivery.`);
          onClose();
        },
      },
    );
  return (
    <FormDialog
      title="Redeliver events"
      submit={{ label: 'Redeliver', icon: History, isPending: replay.isPending }}
      error={replay.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <Select label="Period" isLabelled value={hours} choices={spans} onChange={setHours} />
      <Select
        label="Events"
        isLabelled
        value={only}
        choices={scopes}
        onChange={setOnly}
        description="Redeliveries keep their GUID, so receivers can skip duplicates."
      />
    </FormDialog>
  );
}

interface MessageTableProps {
  readonly hookId: number;
  readonly state: MessageFilter;
}

/** Pending events of a webhook, or those that were given up. */
export function MessageTable({ hookId, state }: MessageTableProps) {
  const messages = useWebhookMessages(hookId, state);
  const retry = useWebhookMutation('webhooks.retryMessage');
  const may = useCan('webhooks.retryMessage').reason;
  const { mutate } = retry;
  const columns = useMemo(
    () => listColumns(state, may, (messageId) => mutate({ messageId }, { onError: showError })),
    [state, may, mutate],
  );
  return (
    <QueryState query={messages} what="The events">
      {(rows) =>
        rows.length === 0 ? (
          <EmptyState
            icon={Inbox}
            title={state === 'waiting' ? 'No pending events' : 'No undelivered events'}
          />
        ) : (
          <VirtualTable
            label={state === 'waiting' ? 'Pending events' : 'Undelivered events'}
            rows={rows}
            columns={columns}
            getKey={({ id }) => String(id)}
            getName={({ event, id }) => `${event} ${id}`}
            minWidth={620}
            foot={<LoadMore query={messages} />}
          />
        )
      }
    </QueryState>
  );
}

const stateLabels: Readonly<Record<MessageState, { readonly tone: OutcomeTone; readonly word: string }>> = {
  waiting: { tone: 'quiet', word: 'Pending' },
  sending: { tone: 'quiet', word: 'Sending' },
  delivered: { tone: 'good', word: 'Delivered' },
  dead: { tone: 'bad', word: 'Undelivered' },
  dropped: { tone: 'bad', word: 'Dropped' },
};

const listColumns = (
  state: MessageFilter,
  unavailable: string | undefined,
  onRetry: (messageId: number) => void,
): readonly Column<MessageView>[] => [
  {
    id: 'state',
    header: 'State',
    width: '34%',
    cell: (message) => (
      <Outcome tone={stateLabels[message.state].tone}>
        {message.reason ?? stateLabels[message.state].word}
      </Outcome>
    ),
  },
  {
    id: 'event',
    header: 'Event',
    cell: ({ event, action }) => <EventName event={event} action={action} />,
  },
  {
    id: 'attempts',
    header: 'Attempts',
    width: '84px',
    isNumber: true,
    cell: ({ attempts }) => attempts,
  },
  {
    id: 'at',
    header: state === 'waiting' ? 'Next attempt' : 'Time',
    width: '150px',
    cell: ({ dueAt, createdAt }) => <TimestampCell iso={state === 'waiting' ? dueAt : createdAt} />,
  },
  {
    id: 'actions',
    header: <span className="visually-hidden">Actions</span>,
    width: '132px',
    isNumber: true,
    cell: ({ id, event, state: at }) =>
      at === 'dead' ? (
        <Button
          size="small"
          icon={RotateCw}
          unavailable={unavailable}
          aria-label={`Redeliver ${event}`}
          onPress={() => onRetry(id)}
        >
          Redeliver
        </Button>
      ) : (
        <span className={table.faint} />
      ),
  },
];

/**
 * Formats a JSON body, or the `payload` field of a form, with line breaks and unchanged numbers. Undefined for
 * other bodies.
 */
function prettyPrintBody(body: string): string | undefined {
  const json = body.startsWith('payload=') ? (new URLSearchParams(body).get('payload') ?? '') : body;
  try {
    return JSON.stringify(parseExactJson(json), null, 2);
  } catch {
    return undefined;
  }
}

interface BodyViewProps {
  readonly title: string;
  readonly body: string;
  /** Why it is truncated. */
  readonly note?: string | undefined;
}

const bodyViews = [
  { value: 'laid-out', label: 'Formatted' },
  { value: 'raw', label: 'Raw' },
] as const;

/** A body: JSON is formatted for reading, with the raw body on demand. */
export function BodyView({ title, body, note }: BodyViewProps) {
  const id = useId();
  const [variant, setVariant] = useState<(typeof bodyViews)[number]['value']>('laid-out');
  const laidOut = useMemo(() => prettyPrintBody(body), [body]);
  return (
    <section className={styles.part} aria-labelledby={id}>
      <div className={styles.partHead}>
        <h3 id={id}>{title}</h3>
        <span>
          {laidOut !== undefined && (
            <Segmented
              label={`Format of ${title.toLowerCase()}`}
              value={variant}
              choices={bodyViews}
              onChange={setVariant}
            />
          )}{' '}
          <CopyButton label={`Copy ${title.toLowerCase()}`} text={body} />
        </span>
      </div>
      {body === '' ? (
        <p className={styles.note}>Empty</p>
      ) : (
        <ScrollArea className={styles.body} aria-labelledby={id}>
          <pre>{variant === 'laid-out' ? (laidOut ?? body) : body}</pre>
        </ScrollArea>
      )}
      {note !== undefined && <p className={styles.note}>{note}</p>}
    </section>
  );
}

/** Headers of a request or response, as sent. */
export function HeaderList({ headers }: { readonly headers: Readonly<Record<string, string>> }) {
  return (
    <dl className={styles.headers}>
      {Object.entries(headers).map(([name, value]) => (
        <Header key={name} name={name} value={value} />
      ))}
    </dl>
  );
}

function Header({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  );
}

/** A command that verifies the signature of a body in a file. */
const command = `openssl dgst -sha256 -hmac "$SECRET" body.txt`;

/** Describes how the signature of a delivery is computed and verified. */
export function SignatureNote({ headers }: { readonly headers: Readonly<Record<string, string>> }) {
  const signature = Object.entries(headers).find(
    ([name]) => name.toLowerCase() === 'x-hub-signature-256',
  )?.[1];
  return (
    <section className={styles.part} aria-label="Signature">
      <div className={styles.partHead}>
        <h3>Signature</h3>
      </div>
      {signature === undefined ? (
        <p className={styles.note}>Not signed. Set a secret to sign every delivery.</p>
      ) : (
        <>
          <p className={styles.note}>
            <code>X-Hub-Signature-256</code> is <code>sha256=</code> plus the hex HMAC-SHA256 of the raw body,
            with the secret as the key.
          </p>
          <div className={styles.partHead}>
            <code className={styles.note}>{command}</code>
            <CopyButton label="Copy command" text={command} />
          </div>
        </>
      )}
    </section>
  );
}
