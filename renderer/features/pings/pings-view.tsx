import { Plus } from 'lucide-react';
import { useState } from 'react';
import { usePingChecks } from '../../api/expectation-queries.ts';
import { useCan } from '../../api/session-queries.ts';
import { useQueryParams } from '../../navigation/address.ts';
import { Button } from '../../ui/button.tsx';
import items from '../../ui/list/list.module.css';
import { ListAndDetail, SideList } from '../../ui/list/list-end.tsx';
import { EmptyState, QueryState } from '../../ui/state.tsx';
import { PingDetail } from './ping-detail.tsx';
import { PingDialog, formatExpected, PingStatus } from './ping-dialog.tsx';

/** Jobs that run elsewhere, by their pings, and the selected one with its history. */
export function PingsView() {
  const checks = usePingChecks();
  const [query, change] = useQueryParams();
  return (
    <QueryState query={checks} what="The ping checks">
      {(all) => {
        const chosen = all.find(({ name }) => name === query.get('ping')) ?? all[0];
        if (chosen === undefined)
          return (
            <EmptyState illustration="schedule" title="No ping checks yet">
              <p>A job on another machine requests a URL when it is done. Missing pings show up here.</p>
              <NewPingButton />
            </EmptyState>
          );
        return (
          <ListAndDetail
            id="pings"
            what="Ping check"
            requested={query.get('ping')}
            shown={chosen.name}
            isFetching={checks.isFetching}
            list={
              <SideList
                label="Ping checks"
                items={all}
                getKey={({ name }) => name}
                chosen={chosen.name}
                onChoose={(name) => change({ ping: name })}
              >
                {(check) => (
                  <>
                    <span className={items.itemName}>{check.name}</span>
                    <span className={items.itemMore}>{formatExpected(check)}</span>
                    <span className={items.itemMore}>
                      <PingStatus status={check.status} />
                    </span>
                  </>
                )}
              </SideList>
            }
          >
            <PingDetail key={chosen.name} check={chosen} onChange={(name) => change({ ping: name })} />
          </ListAndDetail>
        );
      }}
    </QueryState>
  );
}

/** Button that opens the dialog for a new check. */
export function NewPingButton() {
  const [isOpen, setOpen] = useState(false);
  const [, change] = useQueryParams();
  const may = useCan('pings.create');
  return (
    <>
      <Button variant="primary" icon={Plus} unavailable={may.reason} onPress={() => setOpen(true)}>
        New ping check…
      </Button>
      {isOpen && <PingDialog onDone={(name) => change({ ping: name })} onClose={() => setOpen(false)} />}
    </>
  );
}
