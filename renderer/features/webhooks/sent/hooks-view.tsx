import { Webhook } from 'lucide-react';
import { useHooks } from '../../../api/queries/webhook-queries.ts';
import { useAddressQuery } from '../../../app/address.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { AbsentNotice } from '../../../ui/state/absent-notice.tsx';
import { EmptyState } from '../../../ui/state/empty-state.tsx';
import { QueryState } from '../../../ui/state/query-state.tsx';
import { Split } from '../../../ui/layout/splitter.tsx';
import { HookDetail } from './hook-detail.tsx';
import { HookList } from './hook-list.tsx';

/** The webhooks that are sent: all of them, and one with its deliveries. */
export function HooksView({ onMake }: { readonly onMake: () => void }) {
  const hooks = useHooks();
  const [query, change] = useAddressQuery();
  return (
    <QueryState query={hooks} what="The list of webhooks">
      {(all) => {
        const chosen = all.find(({ id }) => String(id) === query.get('hook')) ?? all[0];
        if (chosen === undefined) return <NoHooks onMake={onMake} />;
        return (
          <>
            <AbsentNotice
              what="webhook"
              wanted={query.get('hook')}
              shown={String(chosen.id)}
              isFetching={hooks.isFetching}
            />
            <Split
              id="webhooks"
              label="Width of the list of webhooks"
              direction="columns"
              initial={0.3}
              first={
                <HookList
                  query={hooks}
                  hooks={all}
                  chosen={chosen.id}
                  onChoose={(id) => change({ hook: String(id), delivery: undefined })}
                />
              }
              second={<HookDetail key={chosen.id} listed={chosen} />}
            />
          </>
        );
      }}
    </QueryState>
  );
}

function NoHooks({ onMake }: { readonly onMake: () => void }) {
  return (
    <EmptyState icon={Webhook} title="No webhooks yet">
      <p>
        A webhook tells another program when something happens here: a run begins, succeeds or fails, a step
        ends, a deployment changes. What cannot be delivered is kept and sent again.
      </p>
      <Button icon={Webhook} onPress={onMake}>
        Make the first webhook
      </Button>
    </EmptyState>
  );
}
