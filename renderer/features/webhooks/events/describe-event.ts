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
  const { autoSubscribed, alwaysSent, selectable, removable, supersededBy, closingDown, preview } = rules;
  return [
    ...(autoSubscribed === undefined ? [] : ['Apps with write access get it without subscribing.']),
    ...(alwaysSent === undefined ? [] : [`Every webhook of these gets it: ${alwaysSent.join(', ')}.`]),
    ...(selectable === undefined ? [] : ['It cannot be subscribed to by hand.']),
    ...(removable === undefined ? [] : ['It cannot be unsubscribed from.']),
    ...(supersededBy === undefined ? [] : [`${supersededBy} takes its place.`]),
    ...(closingDown === undefined ? [] : ['It is closing down.']),
    ...(preview === undefined ? [] : ['It is a preview and may change.']),
  ];
}
