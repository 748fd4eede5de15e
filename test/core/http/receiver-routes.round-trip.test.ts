import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import type { JsonObject } from '../../../core/base/json.ts';
import { eventNamesFor, findEvent, webhookEvents } from '../../../core/webhooks/catalog.ts';
import { openReceiverHarness, secret } from '../webhooks/webhook-harness.ts';

const published = createRequire(import.meta.url)('@octokit/webhooks-examples') as readonly {
  readonly name: string;
  readonly examples: readonly JsonObject[];
}[];

/** Unaffected by what happens in this home. */
const owners = {
  repository: 'octo/hello',
  organization: 'octo',
  app: 'helper',
  marketplace: 'helper',
  sponsored: 'octo',
} as const;
type Kind = keyof typeof owners;
const kinds = Object.keys(owners) as Kind[];

const permissions = Object.fromEntries(
  webhookEvents.flatMap(({ permission }) =>
    (permission?.labels ?? []).map((label) => [label, 'write' as const]),
  ),
);

/** The example as one of those owners'. */
function moveTo(payload: JsonObject): JsonObject {
  const place: Record<string, JsonObject> = {
    repository: { id: 7, full_name: owners.repository, owner: { login: 'octo', id: 9 } },
    organization: { login: 'octo', id: 9 },
    installation: { id: 5, account: { login: 'octo' } },
    sponsorship: { sponsorable: { login: 'octo' } },
  };
  const moved = Object.entries(place).filter(([name]) => payload[name] !== undefined);
  return {
    ...payload,
    ...Object.fromEntries(
      moved.map(([name, value]) => [name, { ...(payload[name] as JsonObject), ...value }]),
    ),
  };
}

// Hundreds of runs: on a busy machine they take half a minute.
it('sends every published example over HTTP from our sender to our receiver, which starts a workflow', async () => {
  const harness = await openReceiverHarness();
  const { engine, api, caller } = harness;
  harness.write(
    'listening',
    'queue: examples\nmaxActiveRuns: -1\non: {webhook: {event: EVENTS}}\nsteps: ["true"]\n'.replace(
      'EVENTS',
      JSON.stringify(webhookEvents.map(({ name }) => name).filter((name) => name !== 'ping')),
    ),
  );
  const receiver = await harness.create();
  // Each event by one webhook, of the first kind that supports it.
  const kindOf = (event: string): Kind =>
    kinds.find((kind) => eventNamesFor(kind).includes(event)) ?? expect.unreachable(event);
  for (const [index, kind] of kinds.entries()) {
    const events = webhookEvents.flatMap(({ name, rules }) =>
      kindOf(name) === kind && rules.selectable !== false ? [name] : [],
    );
    const options = {
      allowPrivate: true,
      ...(kind === 'app' && { permissions, installations: [{ id: 5, account: 'octo' }] }),
    };
    const format = index % 2 === 0 ? ('json' as const) : ('form' as const);
    const wanted = { url: receiver.url, kind, owner: owners[kind], events, secret, format, options };
    await api.call('webhooks.create', wanted, caller);
  }
  await engine.host.sendWebhooks();
  // What each webhook should receive; a ping is requested, not emitted.
  const sent: { event: string; payload: JsonObject }[] = [];
  for (const { name, examples } of published.filter((one) => one.name !== 'ping')) {
    const event = findEvent(name)!.name;
    for (const example of examples) {
      const payload = moveTo(example);
      const { hooks } = await api.call('webhooks.emit', { event, payload }, caller);
      for (let webhook = 0; webhook < hooks; webhook += 1) sent.push({ event, payload });
    }
  }
  const countStarted = async (): Promise<number> =>
    (await harness.deliveries(receiver)).filter(({ runs }) => runs.length === 1).length;
  while ((await countStarted()) < sent.length)
    for (let step = 0; step < 100; step += 1) {
      engine.clock.advance(25);
      await new Promise((resolve) => void setTimeout(resolve, 2));
    }
  expect(sent.length).toBeGreaterThan(300);
  const deliveries = await harness.deliveries(receiver);
  expect(deliveries.every(({ verified, proof }) => verified && proof === 'sha256')).toBe(true);
  const counts = (events: readonly (string | undefined)[]) =>
    Object.fromEntries(
      Object.entries(Object.groupBy(events, (event) => event ?? '')).map(([event, all]) => [
        event,
        all!.length,
      ]),
    );
  const told = deliveries.filter(({ event }) => event !== 'ping');
  expect(counts(told.map(({ event }) => event))).toEqual(counts(sent.map(({ event }) => event)));
}, 120_000);
