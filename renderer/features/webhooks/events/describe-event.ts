import type { WebhookEventView } from '../../../../core/contract/webhooks/events.ts';

/** What an app must hold to have an event. */
export function describePermission({ permission, permissionNote }: WebhookEventView): string {
  if (permission === undefined) return permissionNote === 'not published' ? 'not published' : 'no permission';
  const { labels, writeActions } = permission;
  const read = `${labels.join(' or ')}: read`;
  return writeActions === undefined ? read : `${read}; write for ${writeActions.join(', ')}`;
}

/** The rules of an event beyond permission and availability, a sentence each. */
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
    ...(autoSubscribed === undefined ? [] : ['Apps with write access get it without subscribing.']),
    ...(alwaysSent === undefined ? [] : [`Every webhook of these gets it: ${alwaysSent.join(', ')}.`]),
    ...(selectable === undefined ? [] : ['It cannot be subscribed to by hand.']),
    ...(removable === undefined ? [] : ['It cannot be unsubscribed from.']),
    ...(supersededBy === undefined ? [] : [`${supersededBy} takes its place.`]),
    ...(closingDown === undefined ? [] : ['It is closing down.']),
    ...(preview === undefined ? [] : ['It is a preview and may change.']),
  ];
}

/** Which webhooks get some of the actions only: those with the same ones in one sentence. */
function describeActions(actionsByKind: Readonly<Record<string, readonly string[]>>): string[] {
  const kindsOf = new Map<string, string[]>();
  for (const [kind, actions] of Object.entries(actionsByKind)) {
    const listed = lists.format(actions);
    kindsOf.set(listed, [...(kindsOf.get(listed) ?? []), kind]);
  }
  return [...kindsOf].map(([actions, kinds]) => `Only ${actions} for webhooks of: ${kinds.join(', ')}.`);
}

const lists = new Intl.ListFormat('en');
