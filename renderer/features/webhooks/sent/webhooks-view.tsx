import { Webhook } from 'lucide-react';
import { useWebhookList } from '../../../api/queries/webhook-queries.ts';
import { useQueryParams } from '../../../app/address.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { NotInListNotice } from '../../../ui/state/absent-notice.tsx';
import { EmptyState } from '../../../ui/state/empty-state.tsx';
import { QueryState } from '../../../ui/state/query-state.tsx';
import { Split } from '../../../ui/layout/splitter.tsx';
import { WebhookDetail } from './webhook-detail.tsx';
import { WebhookList } from './webhook-list.tsx';

/** The outgoing webhooks, and the selected one with its deliveries. */
export function WebhooksView({ onMake }: { readonly onMake: () => void }) {
  const webhooks = useWebhookList();
  const [query, change] = useQueryParams();
  return (
    <QueryState query={webhooks} what="The webhooks">
      {(all) => {
        const chosen = all.find(({ id }) => String(id) === query.get('hook')) ?? all[0];
        if (chosen === undefined) return <NoWebhooks onMake={onMake} />;
        return (
          <>
            <NotInListNotice
              what="webhook"
              requested={query.get('hook')}
              shown={String(chosen.id)}
              isFetching={webhooks.isFetching}
            />
            <Split
              id="webhooks"
              label="Webhook list width"
              direction="columns"
              initial={0.3}
              first={
                <WebhookList
                  query={webhooks}
                  hooks={all}
                  chosen={chosen.id}
                  onChoose={(id) => change({ hook: String(id), delivery: undefined })}
                />
              }
              second={<WebhookDetail key={chosen.id} listed={chosen} />}
            />
          </>
        );
      }}
    </QueryState>
  );
}

function NoWebhooks({ onMake }: { readonly onMake: () => void }) {
  return (
    <EmptyState icon={Webhook} title="No webhooks yet">
      <p>Webhooks send events such as “run failed” to other services. Failed deliveries are retried.</p>
      <Button icon={Webhook} onPress={onMake}>
        Add webhook
      </Button>
    </EmptyState>
  );
}
