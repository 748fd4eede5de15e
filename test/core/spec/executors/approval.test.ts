import { describe, expect, it } from 'vitest';
import { diagnoseStep } from '../diagnose.ts';

const config = 'config: { question: "Go?" }';

describe('a step of type approval', () => {
  it.each([
    [[config]],
    [['config: { question: "Go to ${ENV}?", details: "${REPORT}", inputs: [A, b_2], required: [A] }']],
    [['config: { question: "Go?", inputs: TICKET, required: TICKET }']],
    [[config, 'timeoutSec: 86400', 'output: DECISION', 'continueOn: failed']],
  ])('loads: %j', (lines) => expect(diagnoseStep('type: approval', ...lines)).toEqual([]));

  it.each([
    [
      ['config: { details: a }'],
      '3:13: "config" has no "question", which is needed. Add it. (steps[0].config)',
    ],
    [
      ['config: { question: " " }'],
      '3:25: "question" is empty. Write what a person is asked. (steps[0].config.question)',
    ],
    [
      ['config: { question: a, inputs: [A, "no-name"] }'],
      '3:40: "no-name" is no name of an input. Use at most 64 letters, digits and "_", and begin with no digit. (steps[0].config.inputs[1])',
    ],
    [
      ['config: { question: a, inputs: [A, A] }'],
      '3:40: "A" is given twice. Remove one. (steps[0].config.inputs[1])',
    ],
    [
      ['config: { question: a, inputs: [A], required: [B] }'],
      '3:52: "B" is required, but is none of "inputs". Add it there, or remove it here. (steps[0].config.required[0])',
    ],
    [
      [config, 'parallel: [a, b]'],
      '4:5: A step of type "approval" asks once, so it takes no "parallel". Ask before or after the step that has the items. (steps[0].parallel)',
    ],
    [
      [config, 'repeatPolicy: { repeat: true, limit: 2 }'],
      '4:5: A step of type "approval" asks once, so it takes no "repeatPolicy". Remove it; a retry of the run asks again. (steps[0].repeatPolicy)',
    ],
    [
      [config, 'workerSelector: { gpu: "yes" }'],
      '4:5: A step of type "approval" is carried out by the engine itself, so it takes no "workerSelector". Remove it. (steps[0].workerSelector)',
    ],
    [
      ['command: echo', config],
      '3:5: A step of type "approval" takes no "command". Remove it, or write the step as {type: approval, config: {question: "Release it?"}} (steps[0].command)',
    ],
  ])('is refused: %j', (lines, message) =>
    expect(diagnoseStep('type: approval', ...lines)).toEqual([message]),
  );
});
