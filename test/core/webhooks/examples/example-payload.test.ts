import { describe, expect, it } from 'vitest';
import { findEvent, webhookEvents } from '../../../../core/webhooks/catalog/catalog.ts';
import { findExample } from '../../../../core/webhooks/examples/example-payload.ts';

describe('an example of an event', () => {
  it('is a real payload with the action that is asked for', () => {
    const { payload, isReal } = findExample(findEvent('issues')!, 'labeled');
    expect(isReal).toBe(true);
    expect(payload).toMatchObject({
      action: 'labeled',
      issue: { number: expect.any(Number) },
      repository: { full_name: 'local/workflows' },
    });
    expect(payload).not.toHaveProperty('installation');
  });

  it('is of the organization of this home, as its repository is', () => {
    for (const name of ['projects_v2_item', 'issue_comment', 'membership'])
      expect(findExample(findEvent(name)!, undefined).payload).toMatchObject({
        organization: { login: 'local' },
      });
  });

  it('is the shortest one when no action is asked for; of pushes, of those to a branch', () => {
    const { payload, isReal } = findExample(findEvent('push')!, undefined);
    expect(isReal).toBe(true);
    expect(payload).toMatchObject({ ref: expect.stringMatching(/^refs\/heads\//), deleted: false });
  });

  it('has the action that the catalog describes when there is a real one with it', () => {
    // That of a `check_run` which is the shortest is for apps alone.
    for (const [name, action] of [
      ['check_run', 'completed'],
      ['issues', 'assigned'],
      ['label', 'deleted'],
    ] as const)
      expect(findExample(findEvent(name)!, undefined)).toMatchObject({ payload: { action }, isReal: true });
  });

  it('is found under the published name of an event that the seed names otherwise', () => {
    const event = webhookEvents.find(({ aliases = [] }) => aliases.includes('dependabot_alert'))!;
    expect(findExample(event, undefined).isReal).toBe(true);
  });

  it('is put together from the catalog where none is published', () => {
    const { payload, isReal } = findExample(findEvent('sub_issues')!, undefined);
    expect(isReal).toBe(false);
    expect(payload).toEqual({ action: 'parent_issue_added' });
  });

  // Published examples are older than some properties.
  const madeUp = webhookEvents.filter((event) => !findExample(event, undefined).isReal);
  it.each(madeUp.map((event) => [event.name, event] as const))('has what %s always carries', (_, event) => {
    const { always, properties } = event;
    const own = properties.filter(({ optional }) => optional === undefined).map(({ name }) => name);
    expect(Object.keys(findExample(event, undefined).payload)).toEqual(
      expect.arrayContaining([...own, ...always]),
    );
  });
});
