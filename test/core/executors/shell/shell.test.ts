import { describe, expect, it } from 'vitest';
import { readInterpreter } from '../../../../core/executors/process.ts';
import {
  buildCommandArgv,
  buildScriptArgv,
  findDefaultShell,
  findScriptExtension,
  isPosixShell,
  readsRawCommandLine,
} from '../../../../core/executors/shell/shell.ts';

const shell = (text: string, chosenByStep = false) => ({ command: text.split(' '), chosenByStep });
const join = (argv: readonly string[]): string => argv.join(' ');

describe('command text', () => {
  it.each([
    ['sh', 'sh -e -c TEXT sh a b'],
    ['/bin/bash', '/bin/bash -e -c TEXT /bin/bash a b'],
    ['bash -o pipefail', 'bash -e -o pipefail -c TEXT bash a b'],
    ['bash -c', 'bash -e -c TEXT bash a b'],
    ['bash -lc', 'bash -e -lc TEXT bash a b'],
    ['bash --norc', 'bash --norc -e -c TEXT bash a b'],
    ['bash --rcfile f -c', 'bash --rcfile f -e -c TEXT bash a b'],
    ['fish', 'fish -c TEXT a b'],
    ['pwsh', 'pwsh -NoProfile -NonInteractive -Command TEXT'],
    ['C:\\Windows\\PowerShell.exe', 'C:\\Windows\\PowerShell.exe -NoProfile -NonInteractive -Command TEXT'],
    ['cmd', 'cmd /d /s /c "TEXT"'],
    ['nix-shell -p jq', 'nix-shell -p jq --run TEXT'],
    ['python3', 'python3 -c TEXT a b'],
    ['node', 'node -e TEXT a b'],
  ])('%s', (command, argv) => {
    expect(join(buildCommandArgv(shell(command), 'TEXT', ['a', 'b']))).toBe(argv);
  });

  it.each(['sh', 'dash', 'ash', 'ksh', 'zsh'])(
    '%s gets -e only when the step did not choose it',
    (command) => {
      expect(buildCommandArgv(shell(command), 'TEXT', [])).toContain('-e');
      expect(buildCommandArgv(shell(command, true), 'TEXT', [])).not.toContain('-e');
    },
  );

  it('is one argument, whatever it contains', () => {
    const text = 'echo "a b" \'c\'\n$(x)';
    expect(buildCommandArgv(shell('sh'), text, ['$(y)'])).toEqual(['sh', '-e', '-c', text, 'sh', '$(y)']);
  });
});

describe('script file', () => {
  it.each([
    ['sh', 'sh -e FILE a b'],
    ['fish', 'fish FILE a b'],
    ['pwsh', 'pwsh -NoProfile -NonInteractive -ExecutionPolicy Bypass -File FILE a b'],
    [
      'powershell -Version 5',
      'powershell -NoProfile -NonInteractive -Version 5 -ExecutionPolicy Bypass -File FILE a b',
    ],
    ['C:\\Windows\\System32\\cmd.exe', 'C:\\Windows\\System32\\cmd.exe /d /s /c ""FILE""'],
    ['cmd', 'cmd /d /s /c ""FILE""'],
    ['python3 -u', 'python3 -u FILE a b'],
    ['nix-shell -p jq', "nix-shell -p jq --run exec bash 'FILE'"],
  ])('%s', (command, argv) => {
    expect(join(buildScriptArgv(shell(command), 'FILE', ['a', 'b']))).toBe(argv);
  });

  it('is one word of the text that runs it', () => {
    expect(buildScriptArgv(shell('nix-shell'), "/it's $HOME/script", ['a'])).toEqual([
      'nix-shell',
      '--run',
      String.raw`exec bash '/it'\''s $HOME/script'`,
    ]);
  });

  it('has the extension its shell requires', () => {
    expect(['sh', 'pwsh', 'cmd.exe'].map((command) => findScriptExtension(shell(command)))).toEqual([
      '',
      '.ps1',
      '.cmd',
    ]);
  });
});

describe('shebang', () => {
  it.each([
    ['#!/bin/bash -eu\necho', 'linux', ['/bin/bash', '-eu']],
    ['#! /usr/bin/env python3\n', 'linux', ['/usr/bin/env', 'python3']],
    ['#!/usr/bin/env -S deno run -A\r\n', 'darwin', ['/usr/bin/env', '-S deno run -A']],
    ['#!/usr/bin/env -S deno run -A\r\n', 'win32', ['deno', 'run', '-A']],
    ['#!/usr/bin/python3 -u\n', 'win32', ['python3', '-u']],
    [' #!/bin/bash\n', 'linux', undefined],
    ['#!\n', 'linux', undefined],
  ] as const)('%j on %s', (text, platform, argv) => {
    expect(readInterpreter(text, platform)).toEqual(argv);
  });
});

describe('default shell', () => {
  it('is sh, or ENGINE_DEFAULT_SHELL; never the user’s SHELL', () => {
    expect(findDefaultShell({ SHELL: '/bin/fish' }, 'linux')).toEqual(['sh']);
    expect(findDefaultShell({ ENGINE_DEFAULT_SHELL: ' bash  -o pipefail ' }, 'linux')).toEqual([
      'bash',
      '-o',
      'pipefail',
    ]);
    expect(findDefaultShell({ ENGINE_DEFAULT_SHELL: '  ' }, 'darwin')).toEqual(['sh']);
    expect(findDefaultShell({}, 'win32')).toEqual(['powershell']);
  });
});

it('knows which shells read whole lines, and which are POSIX', () => {
  expect(['cmd', 'sh', 'pwsh'].map((command) => readsRawCommandLine(shell(command)))).toEqual([
    true,
    false,
    false,
  ]);
  expect(['zsh', 'fish', 'python3'].map((command) => isPosixShell(shell(command)))).toEqual([
    true,
    false,
    false,
  ]);
});
