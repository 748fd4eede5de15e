import type { StreamParser } from '@codemirror/language';
import { javascript, json } from '@codemirror/legacy-modes/mode/javascript';
import { powerShell } from '@codemirror/legacy-modes/mode/powershell';
import { python } from '@codemirror/legacy-modes/mode/python';
import { shell } from '@codemirror/legacy-modes/mode/shell';
import { pgSQL } from '@codemirror/legacy-modes/mode/sql';

/** Values of a step that determine the language of its code, as written. */
export interface CodeContext {
  readonly field: 'command' | 'script';
  readonly text: string;
  /** Empty for a step that runs a command or script. */
  readonly type: string;
  /** The command next to a script: the program that runs it. */
  readonly command: string;
  /** Shell of the step. */
  readonly shell: string;
  /** Shell of the workflow, for steps without their own. */
  readonly workflowShell: string;
}

const languages = { shell, sql: pgSQL, json, javascript, python, powershell: powerShell } as const;
export type CodeLanguage = keyof typeof languages;

/** Languages by step type; types that are not listed run commands or scripts. */
const byType: Readonly<Record<string, Partial<Record<CodeContext['field'], CodeLanguage>>>> = {
  sql: { command: 'sql', script: 'sql' },
  // There is no highlighter for jq queries.
  jq: { script: 'json' },
  // The script holds the fields of the request.
  http: { script: 'json' },
  archive: {},
  gha: {},
  'github-action': {},
  github_action: {},
};

/** Interpreters by name, without version numbers. */
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

/** Returns the language of code; undefined for an unsupported one, which is better than wrong colors. */
export function languageOf(context: CodeContext): CodeLanguage | undefined {
  const { field, text, type, command, shell: own, workflowShell } = context;
  const known = byType[type];
  if (known) return known[field];
  const shebang = /^#!\s*(.+)/.exec(text)?.[1];
  const beside = field === 'script' ? command.trim() : '';
  return languageOfProgram(beside || own.trim() || shebang || workflowShell.trim() || 'sh');
}

/** @param line a program and its arguments, perhaps after `env` */
function languageOfProgram(line: string): CodeLanguage | undefined {
  const names = line
    .split(/\s+/)
    .filter((word) => !word.startsWith('-') && !word.includes('='))
    .map((word) => word.replace(/^.*[/\\]/, '').replace(/\.exe$/i, ''));
  const name = ['env', 'busybox'].includes(names[0]!) ? names[1] : names[0];
  return byProgram[name?.replace(/[\d.]+$/, '') ?? ''];
}

/** Returns the highlighter of a language. */
export const codeParserOf = (language: CodeLanguage): StreamParser<unknown> => languages[language];
