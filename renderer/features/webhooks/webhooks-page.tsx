import { Plus, Send } from 'lucide-react';
import { useState } from 'react';
import { useSystemChanges } from '../../api/use-system-changes.ts';
import { useCan } from '../../api/session-queries.ts';
import { isWebhookList, webhooksKey } from '../../api/webhook-queries.ts';
import { useQueryParams } from '../../navigation/address.ts';
import { Button } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { ComposeEventDialog } from './compose-dialog.tsx';
import { EventCatalog } from './event-catalog.tsx';
import { ReceiverDialog } from './receiver-dialog.tsx';
import { ReceiversView } from './receivers-view.tsx';
import { WebhookDialog } from './webhook-dialog.tsx';
import { WebhooksView } from './webhooks-view.tsx';

type View = 'sent' | 'received' | 'events';
type Making = 'hook' | 'receiver' | 'event';

const isView = (word: string | null): word is View => word === 'received' || word === 'events';

/** Outgoing webhooks, receivers of incoming ones, and the event catalog. */
export function WebhooksPage() {
  useSystemChanges('webhooks', webhooksKey, { isList: isWebhookList });
  const [query, change] = useQueryParams();
  const [making, setMaking] = useState<Making>();
  const requestedView = query.get('view');
  const view = isView(requestedView) ? requestedView : 'sent';
  const close = (): void => setMaking(undefined);
  return (
    <Page title="Webhooks" actions={<PageActions view={view} onMake={setMaking} />}>
      <Tabs<View>
        label="Webhooks"
        value={view}
        onChange={(chosen) => change({ view: chosen === 'sent' ? undefined : chosen })}
        tabs={[
          { id: 'sent', label: 'Sent', content: <WebhooksView onMake={() => setMaking('hook')} /> },
          {
            id: 'received',
            label: 'Received',
            content: <ReceiversView onMake={() => setMaking('receiver')} />,
          },
          { id: 'events', label: 'Events', content: <EventCatalog /> },
        ]}
      />
      {making === 'hook' && (
        <WebhookDialog onDone={({ id }) => change({ hook: String(id), view: undefined })} onClose={close} />
      )}
      {making === 'receiver' && (
        <ReceiverDialog onDone={({ id }) => change({ receiver: id, view: 'received' })} onClose={close} />
      )}
      {making === 'event' && <ComposeEventDialog initial={query.get('event') ?? 'push'} onClose={close} />}
    </Page>
  );
}

interface PageActionsProps {
  readonly view: View;
  readonly onMake: (making: Making) => void;
}

function PageActions({ view, onMake }: PageActionsProps) {
  const mayEmit = useCan('webhooks.emit');
  const mayWebhook = useCan('webhooks.create');
  const mayReceive = useCan('receivers.create');
  return (
    <>
      <Button icon={Send} unavailable={mayEmit.reason} onPress={() => onMake('event')}>
        Send a test event…
      </Button>
      {view === 'sent' && (
        <Button variant="primary" icon={Plus} unavailable={mayWebhook.reason} onPress={() => onMake('hook')}>
          New webhook…
        </Button>
      )}
      {view === 'received' && (
        <Button
          variant="primary"
          icon={Plus}
          unavailable={mayReceive.reason}
          onPress={() => onMake('receiver')}
        >
          New receiver…
        </Button>
      )}
    </>
  );
}
