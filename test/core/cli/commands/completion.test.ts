import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { listCandidates, readTypedLine } from '../../../../core/cli/commands/completion.ts';
import { completionScripts, completionShells } from '../../../../core/cli/completion-scripts.ts';
import { buildTestProgram } from '../../../harness/home-and-command.ts';

const { program } = await buildTestProgram();

/** Candidates for the last word, and what else to look up. */
function complete(...typed: readonly string[]): { words: string[]; also: string | undefined } {
  const line = readTypedLine(program, typed);
  const { words, also } = listCandidates(program, line);
  return { words: words.map(({ word }) => word).filter((word) => word.startsWith(line.last)), also };
}

describe('completions', () => {
  it('are commands and workflows for the first word, without hidden ones', () => {
    const { words, also } = complete('');
    expect(words).toEqual(expect.arrayContaining(['start', 'exec', 'queues', 'completion', 'help']));
    expect(words.join(' ')).not.toContain('__');
    expect(also).toBe('dags');
  });

  it.each([
    [['sta'], ['start', 'start-all', 'status']],
    [['queues', 'pa'], ['pause']],
    [['users', 'c'], ['create']],
    [['start', '--sing'], ['--singleton']],
    [['status', 'etl', '--engine'], ['--engine-home']],
    [
      ['history', '--format', ''],
      ['text', 'json'],
    ],
    [['history', '--format=js'], ['json']],
    [['history', '--format', '=', 'js'], ['json']],
    [
      ['history', '--format', '='],
      ['text', 'json'],
    ],
    [['users', 'create', 'ada', '--role', 'o'], ['operator']],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [
      ['schema', ''],
      ['workflow', 'base'],
    ],
    [['help', 'exi'], ['exit-codes']],
    [
      ['dags', '--sort', ''],
      ['name', 'nextRun'],
    ],
  ])('after %j are %j', (typed, words) => {
    expect(complete(...typed).words).toEqual(words);
  });

  it.each([
    [['start', ''], 'dags'],
    [['status', ''], 'dags'],
    [['validate', 'a.yaml', ''], 'dags'],
    [['retry', 'etl', '--run-id', ''], 'runs'],
    [['start', 'etl', '--from-run-id', ''], 'runs'],
    [['approve', 'etl', ''], 'questions'],
    [['reject', ''], 'dags'],
    [['dequeue', ''], 'queues'],
    [['queues', 'pause', ''], 'queues'],
    [['exec', '--queue', ''], 'queues'],
    [['exec', '--dotenv', ''], 'files'],
    [['exec', '--', ''], 'files'],
    [['restore', ''], 'files'],
    [['status', 'etl', ''], undefined],
    [['start', 'etl', '--', ''], undefined],
  ])('after %j include those of %s', (typed, also) => {
    expect(complete(...typed).also).toBe(also);
  });

  it('come from the home or server named on the line', () => {
    const typed = ['--engine-home', '/srv/home', 'status', '--server=http://build', 'etl', '-r', ''];
    expect(readTypedLine(program, typed)).toMatchObject({
      globals: { engineHome: '/srv/home', server: 'http://build' },
      operands: ['etl'],
      option: { long: '--run-id' },
    });
  });

  it('keep the prefix that shells without = support expect', () => {
    expect(readTypedLine(program, ['history', '--format=js'])).toMatchObject({
      last: 'js',
      prefix: '--format=',
    });
    expect(readTypedLine(program, ['history', '--format', '=', 'js'])).toMatchObject({
      last: 'js',
      prefix: '',
    });
  });
});

describe('completion scripts', () => {
  it.each(completionShells)('for %s call the typed command with the words so far', (shell) => {
    const script = completionScripts[shell];
    expect(script).toContain('__complete -- ');
    expect(script).toContain(':files');
    expect(script).not.toMatch(/\bundefined\b/);
  });

  it('for bash is valid bash', () => {
    const { status, stderr } = spawnSync('bash', ['-n'], { input: completionScripts.bash, encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });
});
