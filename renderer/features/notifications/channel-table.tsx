import { Pencil, Plus, Power, Send, Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { ChannelView } from '../../../core/contract/notifications.ts';
import { useChannels, useNotificationMutation } from '../../api/notification-queries.ts';
import { useCan } from '../../api/session-queries.ts';
import { Button } from '../../ui/button.tsx';
import { RowButton } from '../../ui/list/row-controls.tsx';
import { type Column, VirtualTable } from '../../ui/list/virtual-table.tsx';
import { EmptyState, QueryState } from '../../ui/state.tsx';
import { showError } from '../../ui/toasts.tsx';
import { Outcome } from '../webhooks/request-table.tsx';
import { ChannelDialog, DeleteChannelDialog, TestDialog } from './channel-dialog.tsx';
import { kindLabels } from './channel-form.tsx';
import styles from './notifications.module.css';

interface ChannelActions {
  readonly test: (channel: ChannelView) => void;
  readonly edit: (channel: ChannelView) => void;
  readonly toggle: (channel: ChannelView) => void;
  readonly remove: (channel: ChannelView) => void;
  readonly mayTest: string | undefined;
  readonly mayChange: string | undefined;
}

type Asking = { readonly what: 'test' | 'edit' | 'remove'; readonly channel: ChannelView };

/** The notification channels. */
export function ChannelsView({ onMake }: { readonly onMake: () => void }) {
  const channels = useChannels();
  const [asking, setAsking] = useState<Asking>();
  const { mutate } = useNotificationMutation('channels.update');
  const mayTest = useCan('channels.test').reason;
  const mayChange = useCan('channels.update').reason;
  const columns = useMemo(
    () =>
      listColumns({
        test: (channel) => setAsking({ what: 'test', channel }),
        edit: (channel) => setAsking({ what: 'edit', channel }),
        remove: (channel) => setAsking({ what: 'remove', channel }),
        toggle: ({ id, active }) => mutate({ channelId: id, active: !active }, { onError: showError }),
        mayTest,
        mayChange,
      }),
    [mutate, mayTest, mayChange],
  );
  const close = (): void => setAsking(undefined);
  return (
    <QueryState query={channels} what="The channels">
      {(rows) => (
        <>
          {rows.length === 0 ? (
            <EmptyState illustration="webhooks" title="No channels yet">
              <p>Channels send notifications about your workflows to Slack, email and other services.</p>
              <Button icon={Plus} unavailable={mayChange} onPress={onMake}>
                New channel…
              </Button>
            </EmptyState>
          ) : (
            <VirtualTable
              label="Notification channels"
              rows={rows}
              columns={columns}
              getKey={({ id }) => String(id)}
              getName={({ name }) => name}
              minWidth={760}
              isRoomy
            />
          )}
          {asking?.what === 'test' && <TestDialog channel={asking.channel} onClose={close} />}
          {asking?.what === 'edit' && <ChannelDialog channel={asking.channel} onClose={close} />}
          {asking?.what === 'remove' && <DeleteChannelDialog channel={asking.channel} onClose={close} />}
        </>
      )}
    </QueryState>
  );
}

function ChannelOutcome({ channel }: { readonly channel: ChannelView }) {
  const { active, disabledReason, failingSince, lastStatus } = channel;
  if (!active)
    return disabledReason === undefined ? (
      <Outcome tone="quiet">Off</Outcome>
    ) : (
      <Outcome tone="bad">{`Turned off: ${disabledReason}`}</Outcome>
    );
  if (lastStatus === undefined) return <Outcome tone="quiet">Nothing sent yet</Outcome>;
  return failingSince === undefined ? (
    <Outcome tone="good">Delivered</Outcome>
  ) : (
    <Outcome tone="bad">{lastStatus}</Outcome>
  );
}

const listColumns = (actions: ChannelActions): readonly Column<ChannelView>[] => [
  {
    id: 'name',
    header: 'Channel',
    cell: ({ name, kind, address }) => (
      <span className={styles.two}>
        <strong>{name}</strong>
        <span className={styles.faint} title={address}>
          {kindLabels[kind]}
          {kind === 'desktop' ? '' : ` · ${address}`}
        </span>
      </span>
    ),
  },
  {
    id: 'rules',
    header: 'Rules',
    width: '24%',
    cell: ({ rules }) => (
      <span className={styles.cut} title={rules.join(', ')}>
        {rules.length === 0 ? <span className={styles.faint}>Not used by a rule</span> : rules.join(', ')}
      </span>
    ),
  },
  {
    id: 'state',
    header: 'Last result',
    width: '22%',
    cell: (channel) => <ChannelOutcome channel={channel} />,
  },
  {
    id: 'actions',
    header: <span className="visually-hidden">Actions</span>,
    width: '230px',
    isNumber: true,
    cell: (channel) => <RowActions channel={channel} actions={actions} />,
  },
];

function RowActions({
  channel,
  actions,
}: {
  readonly channel: ChannelView;
  readonly actions: ChannelActions;
}) {
  const { name, active } = channel;
  const { test, edit, toggle, remove, mayTest, mayChange } = actions;
  return (
    <span className={styles.actions}>
      <RowButton
        icon={Send}
        label={`Send a test to ${name}`}
        unavailable={mayTest}
        onPress={() => test(channel)}
      >
        Send a test
      </RowButton>
      <RowButton icon={Pencil} label={`Edit ${name}`} unavailable={mayChange} onPress={() => edit(channel)} />
      <RowButton
        icon={Power}
        label={`Turn ${active ? 'off' : 'on'} ${name}`}
        pressed={active}
        unavailable={mayChange}
        onPress={() => toggle(channel)}
      />
      <RowButton
        icon={Trash2}
        label={`Delete ${name}`}
        unavailable={mayChange}
        onPress={() => remove(channel)}
      />
    </span>
  );
}
