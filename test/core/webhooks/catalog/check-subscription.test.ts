import { describe, expect, it } from 'vitest';
import {
  checkSubscription,
  mayReceive,
  subscribedEvents,
} from '../../../../core/webhooks/catalog/check-subscription.ts';
import { findEvent } from '../../../../core/webhooks/catalog/catalog.ts';

describe('checking what a webhook wants', () => {
  it('takes what the kind can have, by the events’ own names and once each', () => {
    expect(
      checkSubscription({ kind: 'repository', events: ['push', 'public', 'the service', 'push'] }),
    ).toEqual({
      ok: true,
      events: ['push', 'the service'],
    });
    expect(checkSubscription({ kind: 'organization', events: ['*'] })).toEqual({ ok: true, events: ['*'] });
  });

  it('says of each event what is wrong with it', () => {
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

  it('refuses what cannot be chosen (installation, installation_repositories)', () => {
    const checked = checkSubscription({ kind: 'app', events: ['installation'] });
    expect(checked).toMatchObject({
      ok: false,
      problems: [{ message: '"installation" is always sent to apps and cannot be selected.' }],
    });
  });

  it('asks apps for at least read access', () => {
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

describe('what a hook gets', () => {
  it('includes what is always sent, and nothing of it to others', () => {
    expect(subscribedEvents({ kind: 'app', events: [] })).toEqual(
      new Set(['app_authorization', 'installation', 'installation_repositories', 'ping']),
    );
    expect(subscribedEvents({ kind: 'repository', events: ['push'] })).toEqual(new Set(['push', 'ping']));
  });

  it('subscribes apps with write access to checks', () => {
    const gets = (level: 'read' | 'write'): ReadonlySet<string> =>
      subscribedEvents({ kind: 'app', events: [], permissions: { Checks: level } });
    expect(gets('write').has('check_run')).toBe(true);
    expect(gets('write').has('check_suite')).toBe(true);
    expect(gets('read').has('check_run')).toBe(false);
  });

  it('stands with "*" for all that the kind can have', () => {
    const sponsored = subscribedEvents({ kind: 'sponsored', events: ['*'] });
    expect(sponsored).toEqual(new Set(['sponsorship']));
    expect(subscribedEvents({ kind: 'repository', events: ['*'] }).has('team')).toBe(false);
  });

  it('takes write access for some actions', () => {
    const checkRun = findEvent('check_run')!;
    expect(mayReceive(checkRun, 'rerequested', { Checks: 'read' })).toBe(false);
    expect(mayReceive(checkRun, 'rerequested', { Checks: 'write' })).toBe(true);
    expect(mayReceive(checkRun, 'completed', { Checks: 'read' })).toBe(true);
    expect(mayReceive(checkRun, 'completed', {})).toBe(false);
    expect(mayReceive(findEvent('installation')!, 'created', {})).toBe(true);
  });
});
