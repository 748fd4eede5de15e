import { Plus, Inbox, RotateCw } from 'lucide-react';
import { useState, useMemo } from 'react';
import { Link } from 'wouter';
import type { ChannelView, NotificationView } from '../../../core/contract/notifications.ts';
import { useCan } from '../../api/session-queries.ts';
import { useSystemChanges } from '../../api/use-system-changes.ts';
import { isWebhookList, webhooksKey } from '../../api/webhook-queries.ts';
import { useQueryParams, paths } from '../../navigation/address.ts';
import { Button } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { useNotificationMutation, useNotifications } from '../../api/notification-queries.ts';
import { formatDuration } from '../../format/time.ts';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { LoadMore } from '../../ui/list/list-end.tsx';
import { RowButton } from '../../ui/list/row-controls.tsx';
import { type Column, VirtualTable } from '../../ui/list/virtual-table.tsx';
import { EmptyState, QueryState } from '../../ui/state.tsx';
import { TimestampCell } from '../../ui/time.tsx';
import { showError, showToast } from '../../ui/toasts.tsx';
import { Outcome, type OutcomeTone } from '../webhooks/request-table.tsx';
import { ChannelDialog, TestDialog } from './channel-dialog.tsx';
import { ChannelsView } from './channel-table.tsx';
import { RuleDialog } from './rule-dialog.tsx';
import { RulesView } from './rule-table.tsx';
import styles from './notifications.module.css';
import { getPageLabel } from '../../navigation/navigation-items.ts';

type View = 'channels' | 'rules' | 'sent';

const isView = (word: string | null): word is View => word === 'rules' || word === 'sent';

/** Notification channels, rules, and what was sent. */
export function NotificationsPage() {
  useSystemChanges('webhooks', webhooksKey, { isList: isWebhookList });
  const [query, change] = useQueryParams();
  const [making, setMaking] = useState<'channel' | 'rule'>();
  const [testing, setTesting] = useState<ChannelView>();
  const requestedView = query.get('view');
  const view = isView(requestedView) ? requestedView : 'channels';
  const close = (): void => setMaking(undefined);
  return (
    <Page title={getPageLabel(paths.notifications)} actions={<PageActions view={view} onMake={setMaking} />}>
      <Tabs<View>
        label="Notifications"
        value={view}
        onChange={(chosen) => change({ view: chosen === 'channels' ? undefined : chosen })}
        tabs={[
          {
            id: 'channels',
            label: 'Channels',
            content: <ChannelsView onMake={() => setMaking('channel')} />,
          },
          { id: 'rules', label: 'Rules', content: <RulesView onMake={() => setMaking('rule')} /> },
          { id: 'sent', label: 'Sent', content: <SentView /> },
        ]}
      />
      {making === 'channel' && <ChannelDialog onDone={setTesting} onClose={close} />}
      {making === 'rule' && <RuleDialog onClose={close} />}
      {testing && <TestDialog channel={testing} onClose={() => setTesting(undefined)} />}
    </Page>
  );
}

interface PageActionsProps {
  readonly view: View;
  readonly onMake: (making: 'channel' | 'rule') => void;
}

function PageActions({ view, onMake }: PageActionsProps) {
  const mayMakeChannel = useCan('channels.create');
  const mayMakeRule = useCan('rules.create');
  if (view === 'sent') return null;
  return view === 'channels' ? (
    <Button
      variant="primary"
      icon={Plus}
      unavailable={mayMakeChannel.reason}
      onPress={() => onMake('channel')}
    >
      New channel…
    </Button>
  ) : (
    <Button variant="primary" icon={Plus} unavailable={mayMakeRule.reason} onPress={() => onMake('rule')}>
      New rule…
    </Button>
  );
}

/** Notifications that were sent or are waiting, newest first. */
function SentView() {
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
