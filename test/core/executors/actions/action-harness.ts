import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { StepAction } from '../../../../core/model/step.ts';
import { makeTemporaryFolder } from '../../../harness/resources.ts';

/** A directory of real repositories that serves as the server of actions. */
export class ActionServerFolder {
  readonly folder = makeTemporaryFolder();

  /** Value of `githubInstance`. */
  get url(): string {
    return pathToFileURL(this.folder).href;
  }

  /**
   * Adds a commit with the files, and tags it.
   * @returns its name
   */
  commit(repository: string, files: Readonly<Record<string, string>>, tag?: string): string {
    const folder = this.pathOf(repository);
    mkdirSync(folder, { recursive: true });
    this.git(repository, 'init', '--quiet', '--initial-branch=main');
    writeFiles(folder, files);
    this.git(repository, 'add', '--all');
    this.git(repository, 'commit', '--quiet', '--allow-empty', '--message', 'change');
    if (tag !== undefined) this.git(repository, 'tag', '--force', tag);
    return this.git(repository, 'rev-parse', 'HEAD').trim();
  }

  git(repository: string, ...args: string[]): string {
    const gitConfig = [
      '-c',
      'user.name=test',
      '-c',
      'user.email=test@localhost',
      '-c',
      'commit.gpgsign=false',
    ];
    return execFileSync('git', [...gitConfig, ...args], { cwd: this.pathOf(repository), encoding: 'utf8' });
  }

  pathOf(repository: string): string {
    return join(this.folder, repository);
  }
}

export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

/** A step of the type. */
export const actionStep = (
  command: string,
  options: { readonly inputs?: Record<string, string>; readonly config?: Record<string, unknown> } = {},
): StepAction => ({
  kind: 'executor',
  type: 'gha',
  command,
  config: options.config ?? {},
  params: Object.entries(options.inputs ?? {}).map(([name, value]) => ({ name, value })),
});

/** A JavaScript action with a program. */
export const javaScript = (program: string, manifest = ''): Record<string, string> => ({
  'action.yml': `name: js\n${manifest}\nruns:\n  using: node20\n  main: main.js\n`,
  'main.js': program,
});

/** A composite action of bash steps. */
export const composite = (steps: string, rest = ''): Record<string, string> => ({
  'action.yml': `name: composite\n${rest}\nruns:\n  using: composite\n  steps:\n${indent(steps, 4)}\n`,
});

export const indent = (text: string, by: number): string => text.replaceAll(/^(?=.)/gm, ' '.repeat(by));

/** A program that appends to the file in a variable. */
export const appendTo = (variable: string, text: string): string =>
  `require('node:fs').appendFileSync(process.env.${variable}, ${JSON.stringify(text)});\n`;
