import { describe, expect, it } from 'vitest';
import { diagnoseStep } from '../../../harness/workflow-texts.ts';

const config = 'config: { question: "Go?" }';

describe('step of type approval', () => {
  it.each([
    [[config]],
    [['config: { question: "Go to ${ENV}?", details: "${REPORT}", inputs: [A, b_2], required: [A] }']],
    [['config: { question: "Go?", inputs: TICKET, required: TICKET }']],
    [[config, 'timeoutSec: 86400', 'output: DECISION', 'continueOn: failed']],
  ])('loads: %j', (lines) => expect(diagnoseStep('type: approval', ...lines)).toEqual([]));

  it.each([
    [['config: { details: a }'], '3:13: Missing required field "question" in "config". (steps[0].config)'],
    [
      ['config: { question: " " }'],
      '3:25: "question" is empty. Enter a question. (steps[0].config.question)',
    ],
    [
      ['config: { question: a, inputs: [A, "no-name"] }'],
      '3:40: Invalid input name "no-name". Use at most 64 letters, digits and "_", and do not start with a digit. (steps[0].config.inputs[1])',
    ],
    [
      ['config: { question: a, inputs: [A, A] }'],
      '3:40: Duplicate input "A". Remove one. (steps[0].config.inputs[1])',
    ],
    [
      ['config: { question: a, inputs: [A], required: [B] }'],
      '3:52: Required input "B" is not in "inputs". Add it there, or remove it here. (steps[0].config.required[0])',
    ],
    [
      [config, 'parallel: [a, b]'],
      '4:5: "parallel" is not supported for steps of type "approval". Add an approval step before or after the parallel step. (steps[0].parallel)',
    ],
    [
      [config, 'repeatPolicy: { repeat: true, limit: 2 }'],
      '4:5: "repeatPolicy" is not supported for steps of type "approval". Remove it. (steps[0].repeatPolicy)',
    ],
    [
      [config, 'workerSelector: { gpu: "yes" }'],
      '4:5: "workerSelector" is not supported for steps of type "approval", which run in the engine. Remove it. (steps[0].workerSelector)',
    ],
    [
      ['command: echo', config],
      '3:5: "command" is not supported for steps of type "approval". Example: {type: approval, config: {question: "Release it?"}}. (steps[0].command)',
    ],
  ])('is rejected: %j', (lines, message) =>
    expect(diagnoseStep('type: approval', ...lines)).toEqual([message]),
  );
});
