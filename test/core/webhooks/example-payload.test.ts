import { describe, expect, it } from 'vitest';
import { findEvent, webhookEvents } from '../../../core/webhooks/catalog.ts';
import { findExample } from '../../../core/webhooks/example-payload.ts';
import { findSchemaViolations, findSchema } from './published-schemas.ts';

describe('example of an event', () => {
  it('is a real payload with the requested action', () => {
    const { payload, isReal } = findExample(findEvent('issues')!, 'labeled');
    expect(isReal).toBe(true);
    expect(payload).toMatchObject({
      action: 'labeled',
      issue: { number: expect.any(Number) },
      repository: { full_name: 'local/workflows' },
    });
    expect(payload).not.toHaveProperty('installation');
  });

  it('belongs to the organization of this home, as its repository does', () => {
    for (const name of ['projects_v2_item', 'issue_comment', 'membership'])
      expect(findExample(findEvent(name)!, undefined).payload).toMatchObject({
        organization: { login: 'local' },
      });
  });

  it('is the shortest one by default; for pushes, of those to a branch', () => {
    const { payload, isReal } = findExample(findEvent('push')!, undefined);
    expect(isReal).toBe(true);
    expect(payload).toMatchObject({ ref: expect.stringMatching(/^refs\/heads\//), deleted: false });
  });

  it('has the action that the catalog describes when there is a real one with it', () => {
    // The shortest one of `check_run` is for apps only.
    for (const [name, action] of [
      ['check_run', 'completed'],
      ['issues', 'assigned'],
      ['label', 'deleted'],
    ] as const)
      expect(findExample(findEvent(name)!, undefined)).toMatchObject({ payload: { action }, isReal: true });
  });

  it('is found under the published name of an event that the reference names differently', () => {
    const event = webhookEvents.find(({ aliases = [] }) => aliases.includes('dependabot_alert'))!;
    expect(findExample(event, undefined).isReal).toBe(true);
  });

  it('is composed from the catalog where none is published', () => {
    const { payload, isReal } = findExample(findEvent('sub_issues')!, undefined);
    expect(isReal).toBe(false);
    expect(payload).toMatchObject({
      action: 'parent_issue_added',
      parent_issue: { title: expect.any(String) },
      sub_issue: { title: expect.any(String) },
    });
  });

  // Published examples are older than some properties.
  const madeUp = webhookEvents.filter((event) => !findExample(event, undefined).isReal);
  it.each(madeUp.map((event) => [event.name, event] as const))('has what %s always includes', (_, event) => {
    const { always, properties } = event;
    const own = properties.filter(({ optional }) => optional === undefined).map(({ name }) => name);
    expect(Object.keys(findExample(event, undefined).payload)).toEqual(
      expect.arrayContaining([...own, ...always]),
    );
  });
});

/** Newer than the published schemas. */
const unpublished = [
  'code_scanning_alert "updated_assignment"',
  'dependency_alert "assignees_changed"',
  'issue_comment "pinned"',
  'issue_comment "unpinned"',
  'issues "field_added"',
  'issues "field_removed"',
  'label "archived"',
  'label "unarchived"',
  'pull_request "stacked"',
  'secret_scanning_alert "metadata_created"',
  'secret_scanning_alert "metadata_removed"',
];

/** The published schema requires an object and null at the same time. */
const contradictory = ['author', 'publisher', 'private_fork'].map(
  (name) => `repository_advisory/repository_advisory/${name} must be null`,
);

// After an update of the packages of Octokit: npx node test/programs/complete-webhook-examples.ts
describe.each(webhookEvents.map((event) => [event.name, event] as const))('examples of %s', (name, event) => {
  const actions = event.actions === 'any' ? ['deploy'] : [undefined, ...event.actions];

  it.each(actions)('match the published schema (%s)', (action) => {
    const { payload } = findExample(event, action);
    if (action !== undefined) expect(payload['action']).toBe(action);
    if (findSchema(name, payload['action']) === undefined)
      expect(unpublished).toContain(`${name} ${JSON.stringify(payload['action'])}`);
    else
      expect(findSchemaViolations(name, payload).filter((misfit) => !contradictory.includes(misfit))).toEqual(
        [],
      );
  });
});
