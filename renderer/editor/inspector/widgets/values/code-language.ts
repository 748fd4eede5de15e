import type { StreamParser } from '@codemirror/language';
import { javascript, json } from '@codemirror/legacy-modes/mode/javascript';
import { powerShell } from '@codemirror/legacy-modes/mode/powershell';
import { python } from '@codemirror/legacy-modes/mode/python';
import { shell } from '@codemirror/legacy-modes/mode/shell';
import { pgSQL } from '@codemirror/legacy-modes/mode/sql';

/** What is known of a step that has a text of code, each as it is written. */
export interface CodeFacts {
  readonly field: 'command' | 'script';
  readonly text: string;
  /** Empty for a step that runs a command or script. */
  readonly type: string;
  /** The command beside a script, which is the program that is given it. */
  readonly command: string;
  /** Of the step. */
  readonly shell: string;
  /** Of the workflow, for steps that have none of their own. */
  readonly workflowShell: string;
}

const languages = { shell, sql: pgSQL, json, javascript, python, powershell: powerShell } as const;
export type CodeLanguage = keyof typeof languages;

/** How the text of a step of a type is coloured; types that are not here run commands or scripts. */
const byType: Readonly<Record<string, Partial<Record<CodeFacts['field'], CodeLanguage>>>> = {
  sql: { command: 'sql', script: 'sql' },
  // A query of jq is like nothing else.
  jq: { script: 'json' },
  // The fields of the request.
  http: { script: 'json' },
  archive: {},
  gha: {},
  'github-action': {},
  github_action: {},
};

/** Programs that read code, without the numbers of their releases. */
const byProgram: Readonly<Record<string, CodeLanguage>> = {
  ...Object.fromEntries(
    ['sh', 'bash', 'dash', 'ash', 'zsh', 'ksh', 'nix-shell'].map((name) => [name, 'shell' as const]),
  ),
  python: 'python',
  pypy: 'python',
  pwsh: 'powershell',
  powershell: 'powershell',
  node: 'javascript',
  psql: 'sql',
};

/** The language of a text of code; undefined for one that has no colours here, which is better than wrong ones. */
export function languageOf(facts: CodeFacts): CodeLanguage | undefined {
  const { field, text, type, command, shell: own, workflowShell } = facts;
  const known = byType[type];
  if (known) return known[field];
  const shebang = /^#!\s*(.+)/.exec(text)?.[1];
  const beside = field === 'script' ? command.trim() : '';
  return languageOfProgram(beside || own.trim() || shebang || workflowShell.trim() || 'sh');
}

/** @param line a program and its arguments, perhaps behind `env` */
function languageOfProgram(line: string): CodeLanguage | undefined {
  const names = line
    .split(/\s+/)
    .filter((word) => !word.startsWith('-') && !word.includes('='))
    .map((word) => word.replace(/^.*[/\\]/, '').replace(/\.exe$/i, ''));
  const name = ['env', 'busybox'].includes(names[0]!) ? names[1] : names[0];
  return byProgram[name?.replace(/[\d.]+$/, '') ?? ''];
}

/** What colours a language. */
export const parserOf = (language: CodeLanguage): StreamParser<unknown> => languages[language];
