import { describe, expect, it } from 'vitest';
import { getLanguage } from '../../../../renderer/editor/inspector/code-widget.tsx';

const facts = { field: 'script', text: '', type: '', command: '', shell: '', workflowShell: '' } as const;

describe('the language of a code field', () => {
  it.each([
    ['sql', 'command', 'sql'],
    ['sql', 'script', 'sql'],
    ['jq', 'command', undefined],
    ['jq', 'script', 'json'],
    ['http', 'command', undefined],
    ['http', 'script', 'json'],
    ['archive', 'command', undefined],
    ['ssh', 'script', 'shell'],
    ['docker', 'script', 'shell'],
    ['', 'command', 'shell'],
  ] as const)('follows the step type: %s, %s', (type, field, language) => {
    expect(getLanguage({ ...facts, type, field })).toBe(language);
  });

  it.each([
    ['the shell of the step', { shell: 'pwsh -NoProfile', workflowShell: 'bash' }, 'powershell'],
    ['the shell of the workflow', { workflowShell: '/usr/bin/python3.12' }, 'python'],
    ['its shebang line', { text: '#!/usr/bin/env -S python3 -u\nprint(1)' }, 'python'],
    ['a shell of the step over its shebang line', { text: '#!/bin/sh', shell: 'node' }, 'javascript'],
    ['the command that runs the script', { command: 'python3 -u', shell: 'bash' }, 'python'],
    ['an unknown shell', { shell: 'fish' }, undefined],
    ['no shell', { shell: 'direct' }, undefined],
  ] as const)('follows %s', (_, known, language) => {
    expect(getLanguage({ ...facts, ...known })).toBe(language);
  });

  it('of a command is not that of the script next to it', () => {
    expect(getLanguage({ ...facts, field: 'command', command: 'python3 -u' })).toBe('shell');
  });
});
