import type { WebhookEventView } from '../../../../core/contract/webhooks/events.ts';

/** Describes the permission that an app needs for an event. */
export function describePermission({ permission, permissionNote }: WebhookEventView): string {
  if (permission === undefined) return permissionNote === 'not published' ? 'not published' : 'no permission';
  const { labels, writeActions } = permission;
  const read = `${labels.join(' or ')}: read`;
  return writeActions === undefined ? read : `${read}; write for ${writeActions.join(', ')}`;
}

/** Describes the rules of an event other than permission and availability, one sentence each. */
export function describeRules({ rules }: WebhookEventView): string[] {
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
    ...describeActions(actionsByKind ?? {}),
    ...(autoSubscribed === undefined ? [] : ['Apps with write access receive it without subscribing.']),
    ...(alwaysSent === undefined ? [] : [`Always sent to webhooks of: ${alwaysSent.join(', ')}.`]),
    ...(selectable === undefined ? [] : ['Cannot be selected manually.']),
    ...(removable === undefined ? [] : ['Cannot be unsubscribed.']),
    ...(supersededBy === undefined ? [] : [`Replaced by ${supersededBy}.`]),
    ...(closingDown === undefined ? [] : ['Deprecated.']),
    ...(preview === undefined ? [] : ['Preview. May change.']),
  ];
}

/** Describes which kinds of webhook receive only some actions, grouped by equal actions. */
function describeActions(actionsByKind: Readonly<Record<string, readonly string[]>>): string[] {
  const kindsOf = new Map<string, string[]>();
  for (const [kind, actions] of Object.entries(actionsByKind)) {
    const listed = lists.format(actions);
    kindsOf.set(listed, [...(kindsOf.get(listed) ?? []), kind]);
  }
  return [...kindsOf].map(([actions, kinds]) => `Webhooks of ${kinds.join(', ')}: only ${actions}.`);
}

const lists = new Intl.ListFormat('en');
