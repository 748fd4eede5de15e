import { describe, expect, it } from 'vitest';
import { errorCodes } from '../../core/base/error-codes.ts';
import type { Operation } from '../../core/contract/operation.ts';
import { operations, streams } from '../../core/contract/operations.ts';
import { getPrefix } from '../../core/contract/transport.ts';
import { handlerNames } from '../../core/model/workflow-rules.ts';
import { type RunEvent, runTransitions, stepTransitions } from '../../core/model/run-event.ts';
import { stepStatuses } from '../../core/model/run.ts';
import { authoredKeys } from '../../core/spec/authored.ts';
import * as limits from '../../core/spec/limits.ts';
import { loadSpec } from '../../core/spec/load.ts';
import { readCodeSpans, readPage, readTable, type Page } from './read-page.ts';

const errorsPage = readPage('docs/errors.md');
const api = readPage('docs/api.md');
const reference = readPage('docs/api-reference.md');
const eventsPage = readPage('docs/events.md');
const workflows = readPage('docs/workflows.md');

/** The first code span in each row's first cell, up to a colon. */
const readKeys = (page: Page, heading: string): string[] =>
  readTable(page, heading).flatMap(([cell = '']) =>
    readCodeSpans(cell)
      .slice(0, 1)
      .map((code) => code.split(':')[0]!),
  );

const sorted = (words: readonly string[]): string[] => [...words].sort();

describe('docs/errors.md', () => {
  it('lists every code with its properties', () => {
    const rows = readTable(errorsPage, 'Codes').map(([code, http, exit, again, meaning]) => [
      readCodeSpans(code!)[0],
      { http: Number(http), exit: Number(exit), retryable: again === 'yes', meaning },
    ]);
    expect(Object.fromEntries(rows)).toEqual(errorCodes);
  });
});

/** Events that change no status, and those that can occur without a host. */
const remarks: Record<
  Exclude<RunEvent['type'], keyof typeof runTransitions | keyof typeof stepTransitions>,
  true
> = {
  'run.message': true,
  'run.note_changed': true,
  'run.recovered': true,
  'run.terminating': true,
  'run.notification': true,
  'step.status_set': true,
  'step.approval_resolved': true,
};

describe('docs/api-reference.md', () => {
  const all = { ...operations, ...streams } as Record<string, Partial<Operation>>;
  it.each(Object.entries(all))(
    'has the request and the role of %s',
    (name, { method = 'GET', path, version, role, public: isPublic }) => {
      const address = `${method} ${version === undefined ? '' : getPrefix({ version })}${path}`;
      expect(reference.text).toContain(`\n| \`${name}\` | \`${address}\` | ${isPublic ? 'none' : role} | `);
    },
  );
});

describe('docs/api.md', () => {
  it.each(['runs.list', 'dags.list'] as const)('lists every field of the query of %s', (name) => {
    const { path, input } = operations[name];
    const table = api.text.split(`| Query of \`GET ${path}\` |`)[1]!.split('\n\n')[0]!;
    const listed = [...table.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell]) => readCodeSpans(cell!));
    expect(sorted(listed.map((field) => field.split('=')[0]!))).toEqual(
      sorted(Object.keys(input.properties)),
    );
  });
});

describe('docs/events.md', () => {
  it('lists every event', () => {
    const known = [...Object.keys(runTransitions), ...Object.keys(stepTransitions), ...Object.keys(remarks)];
    const table = /\| Event \|.*\n\|.*\n((?:\|.*\n)+)/.exec(eventsPage.text)?.[1] ?? '';
    const named = [...table.matchAll(/^\| `([^`]+)`/gm)].map(([, name]) => name!);
    expect(sorted(named)).toEqual(sorted(known));
  });
});

describe('docs/workflows.md', () => {
  const notYet = workflows.text.slice(workflows.text.indexOf('## Unsupported fields'));
  const works = (key: string): boolean => !notYet.includes(`\`${key}\``);

  it.each([
    ['Workflow fields', authoredKeys.workflow.filter(works)],
    ['Step fields', authoredKeys.step.filter(works)],
    ['Continue on failure', authoredKeys.continueOn],
    ['Retries', authoredKeys.retryPolicy],
    ['Repeat', authoredKeys.repeatPolicy],
    ['Conditions', authoredKeys.condition],
    ['Handlers', handlerNames],
    ['Statuses', stepStatuses],
  ])('lists every supported key: %s', (heading, keys) => {
    expect(sorted(readKeys(workflows, heading))).toEqual(sorted(keys));
  });

  it.each(readTable(workflows, 'Workflow fields'))('has a valid example: %s', (...cells) => {
    const [example] = readCodeSpans(cells[4]!);
    const steps = example!.startsWith('steps:') ? '' : '\nsteps: [echo hello]';
    expect(loadSpec({ text: `${example}${steps}\n` }).diagnostics).toEqual([]);
  });

  it.each(readTable(workflows, 'Step fields'))('has a valid example: %s', (...cells) => {
    const [example] = readCodeSpans(cells[4]!);
    const action = /^\{|^(command|script|run):/.test(example!) ? '' : '\n    command: echo hello';
    const text = `steps:\n  - name: extract\n    command: echo rows\n  - ${example}${action}\n`;
    expect(loadSpec({ text }).diagnostics).toEqual([]);
  });

  it('states the limits of the loader', () => {
    const stated = readTable(workflows, 'Limits').map(([, limit]) =>
      limit!.replace(/ (deep|characters)$/, ''),
    );
    const { MAX_FILE_BYTES, MAX_BASE_BYTES, MAX_STEPS, MAX_DOCUMENTS, MAX_DEPENDENCIES } = limits;
    const { MAX_DEPTH, MAX_VALUES, MAX_ALIAS_VALUES, MAX_ALIAS_CHARACTERS } = limits;
    const { MAX_TOKENS, MAX_DIAGNOSTICS, MAX_PARAMETERS, MAX_PARAMETER_CHARACTERS } = limits;
    const counts = [
      MAX_STEPS,
      MAX_DOCUMENTS,
      MAX_DEPENDENCIES,
      MAX_DEPTH,
      MAX_VALUES,
      MAX_ALIAS_VALUES,
      MAX_ALIAS_CHARACTERS,
      MAX_TOKENS,
      MAX_DIAGNOSTICS,
    ];
    const inWords = counts.map((count) => count.toLocaleString('en-US'));
    const sizes = [
      `${MAX_FILE_BYTES / 1024 / 1024} MiB`,
      '2 s for a check, 10 s for a file or a start',
      '1 MiB',
      `${MAX_BASE_BYTES / 1024} KiB`,
    ];
    const parameters = `${MAX_PARAMETERS.toLocaleString('en-US')}, with ${MAX_PARAMETER_CHARACTERS.toLocaleString('en-US')} characters in all`;
    expect(stated.slice(0, 14)).toEqual([...sizes, ...inWords.toSpliced(3, 0, parameters)]);
  });

  it.each(readRefused('of a workflow'))('is right that a workflow rejects %s', (field) => {
    expect(hasErrors(`${field}: x\nsteps: [echo]\n`)).toBe(true);
  });

  it.each(readRefused('of a step'))('is right that a step rejects %s', (field) => {
    expect(hasErrors(`steps: [{ command: echo, ${field}: x }]\n`)).toBe(true);
  });

  it.each(readTable(workflows, 'Aliases'))('is accurate about %s', (written = '', meant = '') => {
    const [where = ''] = /(?<=\()\w+/.exec(written) ?? [];
    const [canonical = ''] = readCodeSpans(meant);
    for (const spelling of readCodeSpans(written)) {
      const { diagnostics } = loadSpec({ text: embed(where, spelling) });
      expect(diagnostics.map(({ message }) => message)).toEqual([
        `"${spelling}" is an alternative spelling of "${canonical}". Use "${canonical}".`,
      ]);
    }
  });
});

/** The fields in a line of the list of rejected fields. */
function readRefused(where: string): string[] {
  const line = new RegExp(`^- ${where}: (.*)$`, 'm').exec(workflows.text)?.[1] ?? '';
  return readCodeSpans(line).filter((word) => word !== 'schema');
}

const hasErrors = (text: string): boolean => loadSpec({ text }).workflows.length === 0;

/** A workflow that uses a key at the named location. */
function embed(where: string, key: string): string {
  const value =
    { run: 'other', call: 'other', executor: 'command', timeout: '5', timeoutSec: '5' }[key] ?? 'echo';
  const rest = key === 'call' ? '' : ', command: echo';
  switch (where) {
    case 'step':
      return `steps: [{ ${key}: ${value}${rest} }]`;
    case 'handler':
      return `handlerOn: { ${key}: echo }\nsteps: [echo]`;
    default:
      return `${key}: ${value}\nsteps: [echo]`;
  }
}
