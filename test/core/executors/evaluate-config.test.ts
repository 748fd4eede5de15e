import { expect, it } from 'vitest';
import { chooseVariables } from '../../../core/executors/evaluate-config.ts';
import { makeStepSpec } from '../../harness/samples.ts';

it('a remote command gets the variables of the step and of its text, the trace, and nothing else', () => {
  const step = { ...makeStepSpec('a'), env: [{ name: 'OWN', value: '1' }] };
  const env = { OWN: '1', NAMED: '2', OTHER: '3', PWD: '/work', TRACEPARENT: '00-…', TRACESTATE: 'a=1' };
  expect(chooseVariables({ env, step }, ['echo $NAMED $PWD'])).toEqual({
    OWN: '1',
    NAMED: '2',
    TRACEPARENT: '00-…',
    TRACESTATE: 'a=1',
  });
});
