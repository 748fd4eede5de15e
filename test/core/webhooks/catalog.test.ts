import { readFileSync } from 'node:fs';
import Type from 'typebox';
import { Value } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { WebhookEventView, type WebhookKind } from '../../../core/contract/webhook-views.ts';
import { findEvent, receivesAction, webhookEvents } from '../../../core/webhooks/catalog.ts';
import { follow, publishedPayloads } from './published-schemas.ts';

/** The events of GitHub with their actions. */
const seedRows = readFileSync('test/fixtures/webhooks/seed-events.md', 'utf8')
  .split('\n')
  .slice(2)
  .filter((line) => line !== '')
  .map((line) => {
    const [name, permission, availability, described] = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
    return { name: name!, permission: permission!, availability: availability!, described: described! };
  });

const kinds: Record<string, WebhookKind> = {
  R: 'repository',
  O: 'organization',
  E: 'enterprise',
  A: 'app',
  M: 'marketplace',
  S: 'sponsored',
};

const scopes: Record<string, string> = {
  repository: 'repo',
  organization: 'org',
  app: 'app',
};

/** The permission of an event as in the reference, without what follows a semicolon. */
function writePermission(event: WebhookEventView): string {
  if (event.permission === undefined) return event.permissionNote === 'none needed' ? 'none' : 'see note';
  const { labels, of } = event.permission;
  const scope = of === undefined ? '' : ` (${of.map((name) => scopes[name]).join(' or ')})`;
  return `${labels.join(' or ')}${scope}`;
}

describe('event catalog', () => {
  it('matches its schema', () => {
    expect(Value.Errors(Type.Array(WebhookEventView), webhookEvents)).toEqual([]);
  });

  it('has the 75 events of the reference, in its order', () => {
    expect(seedRows).toHaveLength(75);
    expect(webhookEvents.map((event) => event.name)).toEqual(seedRows.map((row) => row.name));
  });

  it.each(seedRows)('agrees with the reference on $name', (row) => {
    const event = findEvent(row.name)!;
    expect(writePermission(event)).toBe(row.permission.split(';')[0]);
    expect(event.availability).toEqual(row.availability.split(' ').map((letter) => kinds[letter]));
    expect(row.described.startsWith(event.described.replace(/ and last.*/, ''))).toBe(true);

    const note = row.permission + row.described;
    const { rules } = event;
    expect(rules.alwaysSent !== undefined).toBe(note.includes('always sent') || row.name === 'ping');
    expect(rules.selectable === false).toBe(note.includes('cannot be subscribed manually'));
    expect(rules.removable === false).toBe(note.includes('cannot be unsubscribed'));
    expect(rules.autoSubscribed === 'write').toBe(note.includes('apps with write are auto-subscribed'));
    expect(rules.closingDown === true).toBe(note.includes('closing down'));
    expect(rules.supersededBy).toBe(/superseded by `(\w+)`|use `(\w+)`/.exec(note)?.slice(1).find(Boolean));
    expect(rules.preview === true).toBe(/^(discussion|projects_v2)/.test(row.name));
    const written = /write for ([^;]*)/.exec(row.permission)?.[1]?.match(/\w+(?=`)/g);
    expect(event.permission?.writeActions).toEqual(written ?? undefined);
    const only = /only get(?:s)? (.*)$/.exec(row.described)?.[1]?.match(/\w+(?=`)/g);
    expect(rules.actionsByKind?.repository).toEqual(only ?? undefined);
    expect(rules.actionsByKind?.organization).toEqual(only ?? undefined);
  });

  it('names an action that the reference describes only if the event has it', () => {
    const strangers = webhookEvents.filter(
      ({ actions, describedAction }) =>
        describedAction !== undefined && actions !== 'any' && !actions.includes(describedAction),
    );
    expect(strangers).toEqual([]);
  });

  it('knows every action and property of the published schemas, and the events by their published names', () => {
    const published = readPublished();
    expect(published.size).toBe(75);
    const missing = [...published].flatMap(([name, { actions, properties }]) => {
      const event = findEvent(name)!;
      const known = new Set([
        'action',
        ...event.always,
        ...event.sometimes,
        ...event.properties.map((property) => property.name),
        ...(event.actions === 'any' ? actions : event.actions),
      ]);
      return [...actions, ...properties].filter((one) => !known.has(one)).map((one) => `${name}: ${one}`);
    });
    expect(missing).toEqual([]);
  });

  it('knows the published names of the three events that are named differently', () => {
    expect(findEvent('dependabot_alert')?.name).toBe('dependency_alert');
    expect(findEvent('github_app_authorization')?.name).toBe('app_authorization');
    expect(findEvent('public')?.name).toBe('the service');
    expect(findEvent('nothing')).toBeUndefined();
  });
});

describe('payload properties', () => {
  it.each([
    ['check_run', 'check_run', 'for a push to a branch of a fork'],
    ['check_suite', 'check_suite', 'for a push to a branch of a fork'],
    ['create', 'description master_branch pusher_type ref ref_type', '`branch` or `tag`'],
    ['delete', 'pusher_type ref ref_type', '`branch` or `tag`'],
    [
      'deployment_protection_rule',
      'environment event sha ref deployment_callback_url deployment',
      'from the check suite',
    ],
    [
      'installation_repositories',
      'repositories_added repositories_removed repository_selection',
      '`all` or `selected`',
    ],
    ['meta', 'hook hook_id', 'repository, organization, business, app, marketplace'],
    ['organization', 'membership', 'absent when the action is `deleted`'],
    ['ping', 'hook hook_id zen', 'random'],
    ['push', 'before after commits compare created deleted forced ref pusher', 'full ref'],
    ['repository_dispatch', 'client_payload', '`event_type`'],
    [
      'secret_scanning_scan',
      'type source started_at completed_at secret_types custom_pattern_name custom_pattern_scope',
      'empty for a normal backfill',
    ],
    ['star', 'starred_at', 'ISO 8601'],
    ['status', 'sha state description target_url id branches', '`error`, `failure`, `pending` or `success`'],
  ])('%s has %s, with a description', (name, properties, words) => {
    const event = findEvent(name)!;
    const known = event.properties.map((property) => property.name);
    expect(known).toEqual(expect.arrayContaining(properties.split(' ')));
    expect(event.facts.join(' ')).toContain(words);
  });
});

describe('actions by kind of webhook', () => {
  const gets = (name: string, kind: WebhookKind, action?: string): boolean =>
    receivesAction(findEvent(name)!, kind, action);

  it('has two actions of check_run and one of check_suite for repository and organization webhooks', () => {
    expect(gets('check_run', 'repository', 'created')).toBe(true);
    expect(gets('check_run', 'organization', 'completed')).toBe(true);
    expect(gets('check_run', 'repository', 'rerequested')).toBe(false);
    expect(gets('check_run', 'app', 'rerequested')).toBe(true);
    expect(gets('check_suite', 'organization', 'completed')).toBe(true);
    expect(gets('check_suite', 'repository', 'requested')).toBe(false);
  });

  it('has nothing for kinds that cannot have the event', () => {
    expect(gets('team', 'repository', 'created')).toBe(false);
    expect(gets('team', 'organization', 'created')).toBe(true);
    expect(gets('push', 'repository')).toBe(true);
  });
});

/** Actions and property names of each published event. */
function readPublished(): Map<string, { actions: Set<string>; properties: Set<string> }> {
  const events = new Map<string, { actions: Set<string>; properties: Set<string> }>();
  for (const { event: name, schema } of publishedPayloads) {
    const event = events.get(name) ?? { actions: new Set(), properties: new Set() };
    events.set(name, event);
    const whole = follow(schema);
    for (const variant of (whole.oneOf ?? whole.anyOf ?? [whole]).map(follow)) {
      for (const property of Object.keys(variant.properties ?? {})) event.properties.add(property);
      for (const action of follow(variant.properties?.['action'] ?? {}).enum ?? []) event.actions.add(action);
    }
  }
  return events;
}
