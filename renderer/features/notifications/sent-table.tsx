import { Inbox, RotateCw } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import type { NotificationView } from '../../../core/contract/notifications.ts';
import { useNotificationMutation, useNotifications } from '../../api/notification-queries.ts';
import { useCan } from '../../api/session-queries.ts';
import { paths } from '../../navigation/address.ts';
import { formatDuration } from '../../format/time.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { LoadMore } from '../../ui/list/list-end.tsx';
import { RowButton } from '../../ui/list/row-controls.tsx';
import { type Column, VirtualTable } from '../../ui/list/virtual-table.tsx';
import { EmptyState, QueryState } from '../../ui/state.tsx';
import { TimestampCell } from '../../ui/time.tsx';
import { showError, showToast } from '../../ui/toasts.tsx';
import { Outcome, type OutcomeTone } from '../webhooks/request-table.tsx';
import styles from './notifications.module.css';

/** Notifications that were sent or are waiting, newest first. */
export function SentView() {
  const sent = useNotifications();
  const [shown, setShown] = useState<NotificationView>();
  const { mutate } = useNotificationMutation('notifications.resend');
  const may = useCan('notifications.resend').reason;
  const columns = useMemo(
    () =>
      listColumns(may, (messageId) =>
        mutate(
          { messageId },
          { onError: showError, onSuccess: () => showToast('info', 'Notification queued again.') },
        ),
      ),
    [may, mutate],
  );
  return (
    <QueryState query={sent} what="The notifications">
      {(rows) => (
        <>
          {rows.length === 0 ? (
            <EmptyState icon={Inbox} title="No notifications yet">
              <p>Notifications appear here with the response of the service.</p>
            </EmptyState>
          ) : (
            <VirtualTable
              label="Notifications"
              rows={rows}
              columns={columns}
              getKey={({ id }) => String(id)}
              getName={({ title }) => title}
              onOpen={setShown}
              minWidth={760}
              isRoomy
              foot={<LoadMore query={sent} />}
            />
          )}
          {shown && <NotificationDialog notification={shown} onClose={() => setShown(undefined)} />}
        </>
      )}
    </QueryState>
  );
}

const tones: Readonly<Record<NotificationView['state'], OutcomeTone>> = {
  waiting: 'quiet',
  sending: 'quiet',
  delivered: 'good',
  dead: 'bad',
  dropped: 'bad',
};

function describeState({ state, attempts, lastAttempt, reason }: NotificationView): string {
  if (state === 'delivered') return 'Delivered';
  if (state === 'sending') return 'Sending';
  if (state === 'waiting')
    return attempts === 0 ? 'Pending' : `Retrying: ${lastAttempt?.status ?? 'last attempt failed'}`;
  return reason ?? 'Not delivered';
}

interface NotificationDialogProps {
  readonly notification: NotificationView;
  readonly onClose: () => void;
}

/** One notification with its text and the last response. */
function NotificationDialog({ notification, onClose }: NotificationDialogProps) {
  const { title, text, workflow, runId, rule, channel, lastAttempt, state } = notification;
  return (
    <Dialog title={title} onClose={onClose}>
      <div className={styles.test}>
        {text !== '' && <pre className={styles.response}>{text}</pre>}
        <p className={styles.faint}>
          To {channel} by rule {rule}
          {runId !== undefined && (
            <>
              {' · '}
              <Link href={paths.run(workflow, runId)}>Open run</Link>
            </>
          )}
        </p>
        <p>
          <Outcome tone={tones[state]}>{describeState(notification)}</Outcome>{' '}
          {lastAttempt && (
            <span className={styles.faint}>
              {lastAttempt.statusCode} in {formatDuration(lastAttempt.durationMs)}
            </span>
          )}
        </p>
        {lastAttempt?.body !== undefined && lastAttempt.body.trim() !== '' && (
          <>
            <h3 className={styles.responseTitle}>Response</h3>
            <pre className={styles.response}>{lastAttempt.body.trim()}</pre>
          </>
        )}
      </div>
      <DialogActions>
        <Button variant="primary" onPress={onClose}>
          Close
        </Button>
      </DialogActions>
    </Dialog>
  );
}

const listColumns = (
  unavailable: string | undefined,
  onResend: (messageId: number) => void,
): readonly Column<NotificationView>[] => [
  {
    id: 'title',
    header: 'Notification',
    cell: ({ title, text }) => (
      <span className={styles.two}>
        <strong>{title}</strong>
        <span className={styles.faint} title={text}>
          {text}
        </span>
      </span>
    ),
  },
  {
    id: 'channel',
    header: 'Channel',
    width: '16%',
    cell: ({ channel, rule }) => (
      <span className={styles.two}>
        <span>{channel}</span>
        <span className={styles.faint} title={rule}>
          {rule}
        </span>
      </span>
    ),
  },
  {
    id: 'state',
    header: 'Result',
    width: '24%',
    cell: (notification) => <Outcome tone={tones[notification.state]}>{describeState(notification)}</Outcome>,
  },
  {
    id: 'at',
    header: 'Time',
    width: '150px',
    cell: ({ createdAt }) => <TimestampCell iso={createdAt} />,
  },
  {
    id: 'actions',
    header: <span className="visually-hidden">Actions</span>,
    width: '144px',
    isNumber: true,
    cell: ({ id, title, state }) =>
      state !== 'waiting' &&
      state !== 'sending' && (
        <RowButton
          icon={RotateCw}
          label={`Send ${title} again`}
          unavailable={unavailable}
          onPress={() => onResend(id)}
        >
          Send again
        </RowButton>
      ),
  },
];
