import { describe, expect, it } from 'vitest';
import { languageOf } from '../../../../renderer/editor/inspector/widgets/values/code-language.ts';

const facts = { field: 'script', text: '', type: '', command: '', shell: '', workflowShell: '' } as const;

describe('the language of a text of code', () => {
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
  ] as const)('follows the type of the step: %s, %s', (type, field, language) => {
    expect(languageOf({ ...facts, type, field })).toBe(language);
  });

  it.each([
    ['the shell of the step', { shell: 'pwsh -NoProfile', workflowShell: 'bash' }, 'powershell'],
    ['the shell of the workflow', { workflowShell: '/usr/bin/python3.12' }, 'python'],
    ['its interpreter line', { text: '#!/usr/bin/env -S python3 -u\nprint(1)' }, 'python'],
    ['a shell of the step over its interpreter line', { text: '#!/bin/sh', shell: 'node' }, 'javascript'],
    ['the command that is given the script', { command: 'python3 -u', shell: 'bash' }, 'python'],
    ['a shell that is not known', { shell: 'fish' }, undefined],
    ['no shell', { shell: 'direct' }, undefined],
  ] as const)('follows %s', (_, known, language) => {
    expect(languageOf({ ...facts, ...known })).toBe(language);
  });

  it('is not that of the script beside it', () => {
    expect(languageOf({ ...facts, field: 'command', command: 'python3 -u' })).toBe('shell');
  });
});
