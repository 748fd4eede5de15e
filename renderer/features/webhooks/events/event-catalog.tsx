import { useMemo, useState } from 'react';
import type { WebhookEventView } from '../../../../core/contract/webhooks/events.ts';
import { webhookKinds, type WebhookKind } from '../../../../core/contract/webhooks/events.ts';
import { useWebhookEvents } from '../../../api/queries/webhook-queries.ts';
import { useQueryParams } from '../../../app/address.ts';
import { SearchField } from '../../../ui/controls/search-field.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { QueryState } from '../../../ui/state/query-state.tsx';
import { Split } from '../../../ui/layout/splitter.tsx';
import { FilterBar } from '../../../ui/list/filter-bar.tsx';
import { SideList } from '../../../ui/list/side-list.tsx';
import styles from '../webhooks.module.css';
import { EventDetail } from './event-detail.tsx';
import items from '../../../ui/list/side-list.module.css';

type KindChoice = WebhookKind | 'any';
const kindChoices: readonly { readonly value: KindChoice; readonly label: string }[] = [
  { value: 'any', label: 'All scopes' },
  ...webhookKinds.map((value) => ({ value, label: value })),
];

/** The catalog of webhook events: meaning, permission and payload. */
export function EventCatalog() {
  const events = useWebhookEvents();
  return (
    <QueryState query={events} what="The events">
      {(all) => <Catalog events={all} />}
    </QueryState>
  );
}

function Catalog({ events }: { readonly events: readonly WebhookEventView[] }) {
  const [query, change] = useQueryParams();
  const [filterText, setFilterText] = useState('');
  const [kind, setKind] = useState<KindChoice>('any');
  const matchingEvents = useMemo(() => findEvents(events, filterText, kind), [events, filterText, kind]);
  const chosen = events.find(({ name }) => name === query.get('event')) ?? matchingEvents[0];
  return (
    <>
      <FilterBar>
        <SearchField
          label="Search events"
          placeholder="Search events"
          value={filterText}
          onChange={setFilterText}
        />
        <Select label="Webhook scope" value={kind} choices={kindChoices} onChange={setKind} />
        <span className={styles.facts} role="status">
          {matchingEvents.length} of {events.length}
        </span>
      </FilterBar>
      <Split
        id="webhook-events"
        label="Event list width"
        direction="columns"
        initial={0.32}
        first={
          <SideList
            label="Events"
            items={matchingEvents}
            keyOf={({ name }) => name}
            chosen={chosen?.name}
            onChoose={(event) => change({ event })}
          >
            {({ name, described }) => (
              <>
                <span className={items.itemName}>{name}</span>
                <span className={items.itemMore} title={described}>
                  {described}
                </span>
              </>
            )}
          </SideList>
        }
        second={chosen && <EventDetail event={chosen} />}
      />
    </>
  );
}

function findEvents(
  events: readonly WebhookEventView[],
  filterText: string,
  kind: KindChoice,
): WebhookEventView[] {
  const word = filterText.trim().toLowerCase();
  return events.filter(
    ({ name, aliases = [], described, availability }) =>
      (kind === 'any' || availability.includes(kind)) &&
      [name, ...aliases, described].some((text) => text.toLowerCase().includes(word)),
  );
}
