import { describe, expect, it } from 'vitest';
import { TestEngine } from '../../rig/test-engine.ts';
import { until } from '../../rig/until.ts';
import { startReceiver } from './otlp-receiver.ts';

describe('spans', () => {
  it('are sent for the run and each attempt', async () => {
    const receiver = await startReceiver();
    const engine = new TestEngine();
    await engine.run(`
otel: {enabled: true, endpoint: "${receiver.url}"}
steps:
  - name: a
    command: echo "$TRACEPARENT"
  - name: b
    command: exit 3
`);
    await until(() => receiver.spans.length === 3);
    expect(receiver.spans).toHaveLength(3);
  });
});
