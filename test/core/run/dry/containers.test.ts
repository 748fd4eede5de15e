import { expect, test } from 'vitest';
import { dryRun } from '../run-harness.ts';

test('shows where a container step runs, and its script as it is sent', async () => {
  const { plans } = await dryRun(`env: [{ TAG: "3" }]
container: { image: "alpine:\${TAG}", env: { A: "\${TAG}!" } }
steps:
  - { name: shared, command: "echo \${TAG}" }
  - { name: own, type: docker, config: { image: "tool:\${TAG}" }, script: "echo \${TAG} $HOSTNAME" }
`);
  const fields = plans[0]!.steps.map(({ action }) =>
    action.kind === 'executor' ? action.fields.map(({ name, value }) => `${name}: ${value}`) : [],
  );
  expect(fields).toEqual([
    [
      'command: echo 3',
      'container: container of the workflow',
      'container.image: alpine:3',
      'container.env.A: 3!',
    ],
    ['script: echo ${TAG} $HOSTNAME', 'config.image: tool:3'],
  ]);
});
