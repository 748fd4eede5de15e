import { describe, expect, it } from 'vitest';
import { diagnoseStep } from '../../../harness/workflow-texts.ts';

describe('step of type archive', () => {
  it.each([
    'command: extract, config: { source: a.zip }',
    'command: extract, config: { source: [a.zip], strip_components: 1, maxRatio: "${RATIO}" }',
    'command: create, config: { source: [a, b], destination: a.zip, password: "${PASSWORD}" }',
    'command: list, config: { source: a.tar.zst, format: tar.zst }',
    'command: "${OPERATION}", config: { source: a.zip }',
  ])('loads with %s', (step) => {
    expect(diagnoseStep(`{ type: archive, ${step} }`)).toEqual([]);
  });

  it.each([
    ['config: { source: a.zip }', /require "command".*\(steps\[0\]\)$/],
    ['command: pack, config: { source: a }', /one of extract, create, list\. \(steps\[0\]\.command\)$/],
    ['command: list', /Missing required field "source" in "config"\./],
    [
      'command: create, config: { source: a }',
      /Missing "destination" in "config"\. Add the path of the archive to.*\(steps\[0\]\.config\)$/,
    ],
    [
      'command: extract, config: { source: [a, b] }',
      /"source" must be a single archive for the command "extract"\..*\(steps\[0\]\.config\.source\)$/,
    ],
    [
      'command: extract, config: { source: a, format: tar, password: x }',
      /"password" is only supported for zip\. Remove it, or use "format:.*\(steps\[0\]\.config\.password\)$/,
    ],
    [
      'command: list, config: { source: a, compressionLevel: 23 }',
      /whole number from -1 to 22\. \(steps\[0\]\.config\.compressionLevel\)$/,
    ],
    [
      'command: list, config: { source: a, format: rar }',
      /must be one of zip.*\(steps\[0\]\.config\.format\)$/,
    ],
    [
      'command: list, config: { source: a, exclude: ["{1..10000000}"] }',
      /limit is 100[;,.] .*\(steps\[0\]\.config\.exclude\)$/,
    ],
    [
      'command: list, script: x, config: { source: a }',
      /"script" is not supported for steps of type "archive"\./,
    ],
  ])('is rejected with %s', (step, message) => {
    expect(diagnoseStep(`{ type: archive, ${step} }`)).toEqual([expect.stringMatching(message)]);
  });
});
