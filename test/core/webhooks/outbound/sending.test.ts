import { describe, expect, it } from 'vitest';
import { testCaller } from '../../../harness/engine.ts';
import { WebhookTarget, SendingHarness } from '../webhook-harness.ts';

describe('webhook', () => {
  it('is pinged when it is created, and notified of a run and its steps', async () => {
    const receiver = await WebhookTarget.open();
    const harness = await SendingHarness.open();
    const webhook = await harness.create({
      url: `${receiver.url}/hook`,
      secret: 'quiet',
      events: ['workflow_run', 'workflow_job', 'check_run', 'status'],
    });
    await harness.engine.run('name: etl\nsteps:\n  - name: load\n    command: "true"\n');
    await harness.untilQuiet();
    const told = receiver.received.map(({ headers, body }) => {
      const payload = JSON.parse(body) as { action?: string; state?: string };
      return `${String(headers['x-platform-event'])} ${payload.action ?? payload.state ?? ''}`.trim();
    });
    expect(told.sort()).toEqual([
      'check_run completed',
      'check_run created',
      'ping',
      'status pending',
      'status success',
      'workflow_job completed',
      'workflow_job in_progress',
      'workflow_job queued',
      'workflow_run completed',
      'workflow_run in_progress',
      'workflow_run requested',
    ]);
    const [first] = receiver.received;
    expect(first!.headers).toMatchObject({
      'x-platform-event': 'ping',
      'x-platform-hook-id': String(webhook.id),
      'x-platform-hook-installation-target-type': 'repository',
      'x-platform-hook-installation-target-id': String(webhook.targetId),
      'content-type': 'application/json',
    });
    const { deliveries } = await harness.engine.host.api.call(
      'webhooks.deliveries',
      { hookId: webhook.id },
      testCaller,
    );
    expect(deliveries).toHaveLength(11);
    expect(deliveries.every(({ delivered, status }) => delivered && status === 'OK')).toBe(true);
  });
});
