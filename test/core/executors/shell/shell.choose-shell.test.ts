import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { chooseShell, buildCommandArgv } from '../../../../core/executors/shell/shell.ts';
import type { Step, StepAction } from '../../../../core/model/step.ts';
import { buildStep } from '../../../harness/samples.ts';
import { makeTemporaryFolder } from '../../../harness/resources.ts';
import { runStep } from '../step-harness.ts';

const buildArgv = (step: Partial<Step>, shell?: readonly string[]): string[] =>
  buildCommandArgv(chooseShell({ step: buildStep('a', step), shell, env: {} }), 'jq . "$X"', ['b']);

describe('packages for a nix-shell', () => {
  it('come before the text, each as a separate argument', () => {
    const shellPackages = ['jq', 'python3.withPackages (p: [ p.requests ])'];
    expect(buildArgv({ shell: ['nix-shell'], shellPackages })).toEqual([
      ...['nix-shell', '-p', 'jq', '-p', 'python3.withPackages (p: [ p.requests ])'],
      ...['--run', 'jq . "$X"'],
    ]);
  });

  it('come after the arguments of the shell, including the workflow’s', () => {
    expect(buildArgv({ shellPackages: ['jq'] }, ['/nix/bin/nix-shell', '--pure'])).toEqual([
      ...['/nix/bin/nix-shell', '--pure', '-p', 'jq', '--run', 'jq . "$X"'],
    ]);
  });

  it('apply to a script, too, whatever its first line says', async () => {
    const program = join(makeTemporaryFolder(), 'nix-shell');
    writeFileSync(program, '#!/bin/sh\necho "$1 $2 $3"; eval "$4"', { mode: 0o700 });
    const action: StepAction = { kind: 'script', script: '#!/bin/cat\necho "$0 $X"\nexit 3\n' };
    const choice = { shell: [program], step: { shellPackages: ['jq'] }, env: { X: "it's" } };
    const { end, stdout, step } = await runStep(action, choice);
    expect(end.exitCode).toBe(3);
    expect(stdout).toBe(`-p jq --run\n${step.attemptDir}/script it's\n`);
  });

  it('need no shell of that name when there are none', () => {
    expect(buildArgv({ shellPackages: [], shell: ['sh'] })[0]).toBe('sh');
  });

  it('are rejected for any other shell', () => {
    expect(() => buildArgv({ shellPackages: ['jq'] }, ['bash'])).toThrow(
      '"shellPackages" only works with the shell "nix-shell", but this step uses "bash".',
    );
  });
});
