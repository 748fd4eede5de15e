import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../core/base/json.ts';
import { findEvent } from '../../../core/webhooks/catalog.ts';
import { openReceiverHarness } from '../webhooks/webhook-harness.ts';

interface Example {
  readonly name: string;
  readonly examples: readonly JsonObject[];
}

const published = createRequire(import.meta.url)('@octokit/webhooks-examples') as readonly Example[];

const workflow = `
queue: examples
maxActiveRuns: -1
on:
  webhook:
    event: [EVENT]
    if: event == 'EVENT' && receiver == 'github'
    params: { ACTION: {path: $.action, default: none}, SENDER: {path: $.sender.login, default: ghost} }
steps: ["true"]
`;

describe('published example payloads', () => {
  it('cover many events', () => {
    expect(published.length).toBeGreaterThan(50);
  });

  it.each(published)('reach a workflow over HTTP: $name', async ({ name, examples }) => {
    const event = findEvent(name)!.name;
    const harness = await openReceiverHarness();
    // By whichever of its names a workflow refers to an event.
    harness.write('listening', workflow.replace('[EVENT]', `[${name}]`).replace('EVENT', event));
    harness.write('other', 'on: {webhook: {event: nothing_of_the_kind}}\nsteps: ["true"]\n');
    const receiver = await harness.create();
    for (const [index, payload] of examples.entries()) {
      const format = index % 2 === 0 ? 'json' : 'form';
      const { status, body } = await harness.send(receiver, payload, { event, format });
      expect(status).toBe(202);
      expect(body.runs).toHaveLength(1);
    }
    await harness.settled(receiver);
    const deliveries = (await harness.deliveries(receiver)).toReversed();
    expect(deliveries).toHaveLength(examples.length);
    for (const [index, payload] of examples.entries()) {
      const { event: received, verified, proof, action, runs, decisions } = deliveries[index]!;
      expect({ received, verified, proof, action }).toEqual({
        received: event,
        verified: true,
        proof: 'sha256',
        action: payload['action'],
      });
      expect(decisions.map(({ workflow: one, outcome }) => [one, outcome])).toEqual([
        ['listening', 'started'],
        ['other', 'passed_over'],
      ]);
      const { params } = await harness.engine.get(runs[0]!);
      const values = Object.fromEntries(params.map((param) => [param.name, param.value]));
      expect(values).toMatchObject({ ACTION: payload['action'] ?? 'none', WEBHOOK_EVENT: event });
      expect(harness.readJson(values['WEBHOOK_PAYLOAD_FILE']!)).toEqual(payload);
    }
  });
});
