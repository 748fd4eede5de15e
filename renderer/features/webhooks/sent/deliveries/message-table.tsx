import { Inbox, RotateCw } from 'lucide-react';
import { useMemo } from 'react';
import type { MessageState, MessageView } from '../../../../../core/contract/webhooks/webhook-views.ts';
import { useCan } from '../../../../api/session/permissions.ts';
import {
  useWebhookMessages,
  useWebhookMutation,
  type MessageFilter,
} from '../../../../api/queries/webhook-queries.ts';
import { Button } from '../../../../ui/controls/button.tsx';
import { EmptyState } from '../../../../ui/state/empty-state.tsx';
import { QueryState } from '../../../../ui/state/query-state.tsx';
import table from '../../../../ui/list/table.module.css';
import { LoadMore } from '../../../../ui/list/load-more.tsx';
import { VirtualTable, type Column } from '../../../../ui/list/virtual-table.tsx';
import { showError } from '../../../../ui/overlay/show-error.ts';
import { TimestampCell } from '../../../../ui/time/moment.tsx';
import { EventName } from '../../exchange/event-name.tsx';
import { Outcome, type OutcomeTone } from '../../exchange/outcome.tsx';

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
            keyOf={({ id }) => String(id)}
            nameOf={({ event, id }) => `${event} ${id}`}
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
