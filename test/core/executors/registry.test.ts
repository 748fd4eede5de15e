import { describe, expect, it } from 'vitest';
import { loadExecutor } from '../../../core/executors/registry.ts';
import { executorTypes, stepTypes } from '../../../core/model/step-types.ts';
import { loadSpec } from '../../../core/spec/load.ts';

describe.each(executorTypes)('the step type %s', (type) => {
  const { example, snippet } = stepTypes[type];

  it('has an executor', async () => {
    expect(await loadExecutor(type)).toMatchObject({ run: expect.any(Function) as unknown });
  });

  it('has a valid example and snippet', () => {
    const indented = snippet.yaml.trimEnd().replaceAll('\n', '\n    ');
    const text = `steps:\n  - ${example}\n  - name: ${snippet.name}\n    ${indented}\n`;
    const { diagnostics, workflows } = loadSpec({ text });
    expect(diagnostics).toEqual([]);
    expect(workflows[0]!.steps.map(({ action }) => action)).toMatchObject([{ type }, { type }]);
  });
});
