import { useMemo, useState } from 'react';
import {
  type WebhookEventView,
  webhookKinds,
  type WebhookKind,
} from '../../../core/contract/webhook-views.ts';
import { Fact, InlineText } from '../../ui/detail-list.tsx';
import { ScrollArea } from '../../ui/page.tsx';
import { useWebhookEvents } from '../../api/webhook-queries.ts';
import { useQueryParams } from '../../navigation/address.ts';
import { SearchField } from '../../ui/fields.tsx';
import { Select } from '../../ui/choices.tsx';
import { QueryState } from '../../ui/state.tsx';
import { Split } from '../../ui/splitter.tsx';
import { FilterBar } from '../../ui/list/filter-bar.tsx';
import { SideList } from '../../ui/list/list-end.tsx';
import items from '../../ui/list/list.module.css';
import styles from './webhooks.module.css';

/** Describes the permission that an app needs for an event. */
function formatPermission({ permission, permissionNote }: WebhookEventView): string {
  if (permission === undefined) return permissionNote === 'not published' ? 'not published' : 'no permission';
  const { labels, writeActions } = permission;
  const read = `${labels.join(' or ')}: read`;
  return writeActions === undefined ? read : `${read}; write for ${writeActions.join(', ')}`;
}

/** Describes the rules of an event other than permission and availability, one sentence each. */
export function formatRules({ rules }: WebhookEventView): string[] {
  const {
    actionsByKind,
    autoSubscribed,
    alwaysSent,
    selectable,
    removable,
    supersededBy,
    closingDown,
    preview,
  } = rules;
  return [
    ...formatActions(actionsByKind ?? {}),
    ...(autoSubscribed === undefined ? [] : ['Apps with write access receive it without subscribing.']),
    ...(alwaysSent === undefined ? [] : [`Always sent to ${lists.format(alwaysSent)} webhooks.`]),
    ...(selectable === undefined ? [] : ['Cannot be selected manually.']),
    ...(removable === undefined ? [] : ['Cannot be unsubscribed.']),
    ...(supersededBy === undefined ? [] : [`Replaced by ${supersededBy}.`]),
    ...(closingDown === undefined ? [] : ['Deprecated.']),
    ...(preview === undefined ? [] : ['Preview. May change.']),
  ];
}

/** Describes which kinds of webhook receive only some actions, grouped by equal actions. */
function formatActions(actionsByKind: Readonly<Record<string, readonly string[]>>): string[] {
  const kindsByActions = new Map<string, string[]>();
  for (const [kind, actions] of Object.entries(actionsByKind)) {
    const listed = lists.format(actions);
    kindsByActions.set(listed, [...(kindsByActions.get(listed) ?? []), kind]);
  }
  return [...kindsByActions].map(
    ([actions, kinds]) => `For ${lists.format(kinds)} webhooks: only ${actions}.`,
  );
}

const lists = new Intl.ListFormat('en');

/** One event of the catalog. */
function EventDetail({ event }: { readonly event: WebhookEventView }) {
  const { name, aliases = [], described, describedAction, actions, availability, properties, facts } = event;
  return (
    <ScrollArea className={styles.eventDetailDetail} aria-label={`Event ${name}`}>
      <h2>{name}</h2>
      <p>
        {described}
        {describedAction !== undefined && (
          <>
            {' '}
            (<code>{describedAction}</code>)
          </>
        )}
      </p>
      <dl className={styles.eventDetailFacts}>
        {aliases.length > 0 && <Fact name="Aliases">{aliases.join(', ')}</Fact>}
        <Fact name="Scopes">{availability.join(', ')}</Fact>
        <Fact name="App permission">{formatPermission(event)}</Fact>
        <Fact name="Actions">
          {actions === 'any' ? 'any' : actions.length === 0 ? 'none' : <Codes names={actions} />}
        </Fact>
        <Fact name="Always includes">
          <Codes names={event.always} />
        </Fact>
        <Fact name="May include">
          <Codes names={event.sometimes} />
        </Fact>
        <Fact name="Event fields">
          {properties.length === 0 ? (
            'none'
          ) : (
            <Codes
              names={properties.map(({ name: property, optional }) => `${property}${optional ? '?' : ''}`)}
            />
          )}
        </Fact>
      </dl>
      <Sentences sentences={[...formatRules(event), ...facts]} />
    </ScrollArea>
  );
}

function Codes({ names }: { readonly names: readonly string[] }) {
  if (names.length === 0) return 'none';
  return (
    <span className={styles.codes}>
      {names.map((name) => (
        <code key={name}>{name}</code>
      ))}
    </span>
  );
}

function Sentences({ sentences }: { readonly sentences: readonly string[] }) {
  if (sentences.length === 0) return null;
  return (
    <ul className={styles.sentences} aria-label="Notes">
      {sentences.map((sentence) => (
        <li key={sentence}>
          <InlineText text={sentence} />
        </li>
      ))}
    </ul>
  );
}

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
            getKey={({ name }) => name}
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
