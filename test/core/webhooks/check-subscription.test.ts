import { describe, expect, it } from 'vitest';
import { checkSubscription, canReceive, subscribedEvents } from '../../../core/webhooks/check-webhook.ts';
import { findEvent } from '../../../core/webhooks/catalog.ts';

describe('validating a subscription', () => {
  it('accepts events of the kind, by their own names and once each', () => {
    expect(
      checkSubscription({ kind: 'repository', events: ['push', 'public', 'the service', 'push'] }),
    ).toEqual({
      ok: true,
      events: ['push', 'the service'],
    });
    expect(checkSubscription({ kind: 'organization', events: ['*'] })).toEqual({ ok: true, events: ['*'] });
  });

  it('reports what is wrong with each event', () => {
    expect(checkSubscription({ kind: 'repository', events: ['push', 'team', 'pussh', 'zzz', '*'] })).toEqual({
      ok: false,
      problems: [
        {
          event: 'team',
          message:
            '"team" is not available to repository webhooks, only to organization webhooks, enterprise webhooks, and apps.',
        },
        { event: 'pussh', message: 'Unknown event "pussh". Did you mean "push"?' },
        { event: 'zzz', message: 'Unknown event "zzz". Run "engine webhooks catalog" to see all events.' },
        { event: '*', message: '"*" means all events and cannot be combined with other names.' },
      ],
    });
  });

  it('rejects what cannot be selected (installation, installation_repositories)', () => {
    const checked = checkSubscription({ kind: 'app', events: ['installation'] });
    expect(checked).toMatchObject({
      ok: false,
      problems: [{ message: '"installation" is always sent to apps and cannot be selected.' }],
    });
  });

  it('requires at least read access for apps', () => {
    const permissions = { Contents: 'read', Issues: 'write' } as const;
    expect(checkSubscription({ kind: 'app', events: ['push', 'issues', 'milestone'], permissions }).ok).toBe(
      true,
    );
    expect(checkSubscription({ kind: 'app', events: ['status'], permissions })).toMatchObject({
      problems: [
        { message: '"status" requires read access to "Commit statuses", which the app does not have.' },
      ],
    });
    expect(checkSubscription({ kind: 'repository', events: ['status'] }).ok).toBe(true);
  });
});

describe('events of a webhook', () => {
  it('include what is always sent, and nothing of it for others', () => {
    expect(subscribedEvents({ kind: 'app', events: [] })).toEqual(
      new Set(['app_authorization', 'installation', 'installation_repositories', 'ping']),
    );
    expect(subscribedEvents({ kind: 'repository', events: ['push'] })).toEqual(new Set(['push', 'ping']));
  });

  it('include checks for apps with write access', () => {
    const gets = (level: 'read' | 'write'): ReadonlySet<string> =>
      subscribedEvents({ kind: 'app', events: [], permissions: { Checks: level } });
    expect(gets('write').has('check_run')).toBe(true);
    expect(gets('write').has('check_suite')).toBe(true);
    expect(gets('read').has('check_run')).toBe(false);
  });

  it('include everything of the kind with "*"', () => {
    const sponsored = subscribedEvents({ kind: 'sponsored', events: ['*'] });
    expect(sponsored).toEqual(new Set(['sponsorship']));
    expect(subscribedEvents({ kind: 'repository', events: ['*'] }).has('team')).toBe(false);
  });

  it('require write access for some actions', () => {
    const checkRun = findEvent('check_run')!;
    expect(canReceive(checkRun, 'rerequested', { Checks: 'read' })).toBe(false);
    expect(canReceive(checkRun, 'rerequested', { Checks: 'write' })).toBe(true);
    expect(canReceive(checkRun, 'completed', { Checks: 'read' })).toBe(true);
    expect(canReceive(checkRun, 'completed', {})).toBe(false);
    expect(canReceive(findEvent('installation')!, 'created', {})).toBe(true);
  });
});
