import { describe, expect, it } from 'vitest';
import { chooseShell } from '../../../core/executors/choose-shell.ts';
import { buildCommandArgv } from '../../../core/executors/shell.ts';
import type { Step } from '../../../core/model/step.ts';
import { buildStep } from '../../rig/build-step.ts';

const buildArgv = (step: Partial<Step>, shell?: readonly string[]): string[] =>
  buildCommandArgv(chooseShell({ step: buildStep('a', step), shell, env: {} }), 'jq . "$X"', ['b']);

describe('packages for a nix-shell', () => {
  it('come before the text, each an argument of its own', () => {
    const shellPackages = ['jq', 'python3.withPackages (p: [ p.requests ])'];
    expect(buildArgv({ shell: ['nix-shell'], shellPackages })).toEqual([
      ...['nix-shell', '-p', 'jq', '-p', 'python3.withPackages (p: [ p.requests ])'],
      ...['--run', 'jq . "$X"'],
    ]);
  });

  it('come after the arguments of the shell, also of the workflow’s', () => {
    expect(buildArgv({ shellPackages: ['jq'] }, ['/nix/bin/nix-shell', '--pure'])).toEqual([
      ...['/nix/bin/nix-shell', '--pure', '-p', 'jq', '--run', 'jq . "$X"'],
    ]);
  });

  it('need no shell of that name when there are none', () => {
    expect(buildArgv({ shellPackages: [], shell: ['sh'] })[0]).toBe('sh');
  });

  it('are refused for any other shell', () => {
    expect(() => buildArgv({ shellPackages: ['jq'] }, ['bash'])).toThrow(
      '"shellPackages" are for the shell "nix-shell" only, and this step runs in "bash"',
    );
  });
});
