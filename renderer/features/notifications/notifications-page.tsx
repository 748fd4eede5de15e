import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { ChannelView } from '../../../core/contract/notifications.ts';
import { useCan } from '../../api/session-queries.ts';
import { useSystemChanges } from '../../api/use-system-changes.ts';
import { isWebhookList, webhooksKey } from '../../api/webhook-queries.ts';
import { useQueryParams } from '../../navigation/address.ts';
import { Button } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { ChannelDialog, TestDialog } from './channel-dialog.tsx';
import { ChannelsView } from './channel-table.tsx';
import { RuleDialog } from './rule-dialog.tsx';
import { RulesView } from './rule-table.tsx';
import { SentView } from './sent-table.tsx';

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
    <Page title="Notifications" actions={<PageActions view={view} onMake={setMaking} />}>
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
