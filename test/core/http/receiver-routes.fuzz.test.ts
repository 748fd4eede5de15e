import fc from 'fast-check';
import { expect, it } from 'vitest';
import { signBody } from '../../../core/webhooks/signature.ts';
import { fuzzing, fuzzTimeoutMs } from '../../harness/fuzzing.ts';
import { openReceiverHarness, secret } from '../webhooks/webhook-harness.ts';

const workflow = `
queue: fuzz
maxActiveRuns: -1
on:
  webhook:
    - {params: {A: $.a, B: "$.b[0].c"}, concurrencyKey: payload.a}
    - {branches: "**", queue: other}
    - {paths: ["**", "!*.md"], if: "contains(payload.a, 'x') || payload.b.c == event", debounce: 1d, concurrencyKey: toJson(payload)}
steps: ["true"]
`;

const limit = 4000;
const headerText = fc
  .string({ unit: fc.constantFrom(...Array.from('abcXYZ019 ,;:=/*"%{}[]()_-.+$`\t')), maxLength: 60 })
  .map((text) => text.trim());
const json = fc.jsonValue({ maxDepth: 4 });
const payload = fc.oneof(
  fc.record(
    { a: json, b: json, ref: json, action: json, commits: json, pull_request: json, type: json },
    { requiredKeys: [] },
  ),
  json,
);
const body = fc.oneof(
  payload.map((value) => Buffer.from(JSON.stringify(value))),
  payload.map((value) => Buffer.from(new URLSearchParams({ payload: JSON.stringify(value) }).toString())),
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  fc.nat({ max: 2 * limit }).map((length) => Buffer.alloc(length, '[')),
  fc.nat({ max: 600 }).map((depth) => Buffer.from(`{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`)),
);
const headers = fc.record(
  {
    'content-type': fc.oneof(
      fc.constantFrom(
        'application/json',
        'application/x-www-form-urlencoded',
        'application/json; charset=utf-8',
      ),
      headerText,
    ),
    'x-platform-event': fc.oneof(
      fc.constantFrom('push', 'pull_request', 'ping', 'create', 'status', 'constructor', '__proto__'),
      headerText,
    ),
    'x-platform-delivery': headerText,
    'x-platform-hook-id': headerText,
    'x-hub-signature-256': fc.oneof(
      fc.constant('right'),
      fc.constant('right'),
      fc.constant('right'),
      headerText,
    ),
    'x-hub-signature': headerText,
  },
  { requiredKeys: [] },
);

it(
  'responds to all input without an internal error, and keeps its limit',
  async () => {
    const harness = await openReceiverHarness();
    harness.write('fuzz', workflow);
    const receiver = await harness.create({ maxBodyBytes: limit });
    await fc.assert(
      fc.asyncProperty(body, headers, async (bytes, { 'x-hub-signature-256': signature, ...others }) => {
        const given = {
          ...others,
          ...(signature !== undefined && {
            'x-hub-signature-256':
              signature === 'right' ? signBody(bytes, secret)['X-Hub-Signature-256'] : signature,
          }),
        };
        const { status } = await harness.post(receiver.path, bytes, given);
        expect([202, 400, 401, 413, 415]).toContain(status);
        expect(status === 413).toBe(bytes.length > limit);
        if (status === 202) expect(signature).toBe('right');
      }),
      fuzzing(10, 400),
    );
    await harness.settled(receiver);
    const deliveries = await harness.deliveries(receiver);
    expect(deliveries.filter(({ status }) => status === 'refused').length).toBeLessThanOrEqual(200);
    expect(deliveries.filter(({ runs }) => runs.length > 0).length).toBeGreaterThan(20);
    expect(
      harness.engine.reports.filter((report) => !report.startsWith('A webhook could not start')),
    ).toEqual([]);
  },
  fuzzTimeoutMs,
);
