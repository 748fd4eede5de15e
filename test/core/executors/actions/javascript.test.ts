import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runStep } from '../step-rig.ts';
import { ActionServerFolder, appendTo, javaScript, useAction } from './action-rig.ts';

describe('a JavaScript action', () => {
  test('runs from a repository with its inputs, and its outputs are the output of the step', async () => {
    const server = new ActionServerFolder();
    const commit = server.commit(
      'octo/hello',
      javaScript(
        `console.log('Hello ' + process.env['INPUT_WHO-TO-GREET'] + process.env.INPUT_END);\n${appendTo('GITHUB_OUTPUT', 'time=noon\nlong<<EOF\na\nb\nEOF\n')}`,
        'inputs: {who-to-greet: {required: true}, end: {default: "!"}}',
      ),
      'v1',
    );
    const { end, stdout, stderr, step } = await runStep(
      useAction('octo/hello@v1', {
        inputs: { 'Who-To-Greet': 'Ada' },
        config: { githubInstance: server.url },
      }),
    );
    expect(end).toEqual({ exitCode: 0, output: { time: 'noon', long: 'a\nb' } });
    expect(stdout).toBe('Hello Ada!\n');
    expect(stderr).toBe(`octo/hello@v1 is commit ${commit}\n`);
    expect(existsSync(join(step.attemptDir, 'action'))).toBe(false);
    expect(step.files()).toEqual(['stderr.log', 'stdout.log']);
  });
});
