import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../core/base/json.ts';
import {
  findMismatch,
  type EventFilter,
  type NameFilter,
  getRefs,
} from '../../../core/webhooks/event-filter.ts';
import { parseNamePattern, type NamePattern } from '../../../core/base/name-pattern.ts';

const patterns = (...texts: string[]): NamePattern[] =>
  texts.map((text) => parseNamePattern(text) as NamePattern);
const only = (...texts: string[]): NameFilter => ({ only: patterns(...texts) });
const ignore = (...texts: string[]): NameFilter => ({ ignore: patterns(...texts) });
let pauses = 0;
const pace = { steps: 0, pause: () => Promise.resolve(void (pauses += 1)) };
const misfit = (filter: Partial<EventFilter>, event: string, payload: JsonObject) =>
  findMismatch({ events: [], actions: [], ...filter }, event, payload, pace);

const push = (ref: string, ...files: string[]): JsonObject => ({
  ref,
  commits: [{ added: files.slice(0, 1), removed: [], modified: files.slice(1) }],
});
const main = push('refs/heads/main', 'docs/a.md', 'src/b.ts');
const tag = push('refs/tags/v1.2', 'src/b.ts');

describe('event filter', () => {
  it('matches the event and its action', async () => {
    await expect(misfit({}, 'push', main)).resolves.toBeUndefined();
    await expect(misfit({ events: ['push', 'issues'] }, 'push', main)).resolves.toBeUndefined();
    await expect(misfit({ events: ['issues', 'star'] }, 'push', main)).resolves.toBe(
      'The event is `push`, not `issues` or `star`.',
    );
    await expect(misfit({ actions: ['opened'] }, 'issues', { action: 'opened' })).resolves.toBeUndefined();
    await expect(misfit({ actions: ['opened'] }, 'issues', { action: 'closed' })).resolves.toBe(
      'The action is `closed`, not `opened`.',
    );
    await expect(misfit({ actions: ['opened'] }, 'push', main)).resolves.toBe(
      'The payload has no action; expected `opened`.',
    );
  });

  it.each<[string, Partial<EventFilter>, JsonObject, boolean]>([
    ['matching branch', { branches: only('main') }, main, true],
    ['other branch', { branches: only('release/**') }, main, false],
    ['ignored branch', { branches: ignore('ma*') }, main, false],
    ['branch that is not ignored', { branches: ignore('dev') }, main, true],
    ['branch with a filter for tags only', { tags: only('**') }, main, false],
    ['tag with a filter for branches only', { branches: only('**') }, tag, false],
    ['tag with a filter for both', { branches: only('main'), tags: only('v*') }, tag, true],
    ['matching file', { paths: only('docs/**') }, main, true],
    ['no matching file', { paths: only('test/**') }, main, false],
    ['only ignored files', { paths: ignore('**') }, main, false],
    ['one file that is not ignored', { paths: ignore('docs/**') }, main, true],
    ['right file on the wrong branch', { branches: only('dev'), paths: only('docs/**') }, main, false],
    ['tag, whose files are not checked', { paths: only('nothing') }, tag, true],
    [
      'push without lists of files',
      { paths: only('nothing') },
      { ref: 'refs/heads/main', commits: [{}] },
      true,
    ],
  ])('push to a %s', async (_, filter, payload, fits) => {
    expect((await misfit(filter, 'push', payload)) === undefined).toBe(fits);
  });

  it('reports why', async () => {
    await expect(misfit({ branches: only('dev') }, 'push', main)).resolves.toBe(
      'The branch `main` does not match the filter.',
    );
    await expect(misfit({ branches: only('dev') }, 'star', {})).resolves.toBe(
      'A `star` event has no branch or tag.',
    );
    await expect(misfit({ paths: only('x') }, 'push', main)).resolves.toBe(
      'None of the 2 changed files matches the filter.',
    );
  });
});

describe('files of a push', () => {
  const fileNames = (count: number, length = 10) =>
    Array.from({ length: count }, (_, index) => `${index}/`.padEnd(length, 'a'));
  const pushed = (...lists: string[][]) => ({
    ref: 'refs/heads/main',
    commits: lists.map((added) => ({ added })),
  });

  it('are checked up to the 3,000th', async () => {
    const filter = { paths: only('last') };
    const names = fileNames(2999);
    await expect(misfit(filter, 'push', pushed(names, names, ['last']))).resolves.toBeUndefined();
    await expect(misfit(filter, 'push', pushed(names, ['other', 'last']))).resolves.toBe(
      'None of the first 3000 changed files matches the filter.',
    );
  });

  it('are checked in the first 2,048 commits', async () => {
    const commits = Array.from({ length: 2048 }, () => ['a']);
    const filter = { paths: only('last') };
    await expect(misfit(filter, 'push', pushed(...commits.slice(1), ['last']))).resolves.toBeUndefined();
    await expect(misfit(filter, 'push', pushed(...commits, ['last']))).resolves.toContain('first 1 changed');
  });

  it('are matched in batches, between which the event loop runs', async () => {
    const paths = only('src/**/*.ts', '**/*.md', 'docs/**', '**/test/**', '!**/*.lock');
    const count = async (files: number) => {
      pauses = 0;
      await misfit({ paths }, 'push', pushed(fileNames(files, 987)));
      return pauses;
    };
    const [some, twice] = [await count(500), await count(1000)];
    expect(some).toBeGreaterThan(3);
    expect(twice / some).toBeLessThan(2.5);
  });
});

describe('ref of an event', () => {
  it.each<[string, JsonObject, string]>([
    ['create', { ref: 'v1', ref_type: 'tag' }, 'tag v1'],
    ['delete', { ref: 'topic', ref_type: 'branch' }, 'branch topic'],
    ['pull_request', { pull_request: { base: { ref: 'main' }, head: { ref: 'topic' } } }, 'branch main'],
    ['pull_request_review', { pull_request: { base: { ref: 'main' } } }, 'branch main'],
    ['merge_group', { merge_group: { base_ref: 'refs/heads/main' } }, 'branch main'],
    ['release', { release: { tag_name: 'v1' } }, 'tag v1'],
    ['workflow_run', { workflow_run: { head_branch: 'x' } }, 'branch x'],
    ['workflow_dispatch', { ref: 'x' }, 'branch x'],
    ['check_suite', { check_suite: { head_branch: null } }, ''],
    ['status', { branches: [{ name: 'a' }, { name: 'b' }] }, 'branch a, branch b'],
    ['push', { ref: ['refs/heads/x'] }, ''],
    ['star', { __proto__: null }, ''],
  ])('%s: %j', (event, payload, expected) => {
    const refs = getRefs(event, payload).map(({ kind, name }) => `${kind} ${name}`);
    expect(refs.join(', ')).toBe(expected);
  });

  it('is found in the published examples of every event that has one', () => {
    const examples = JSON.parse(
      readFileSync('node_modules/@octokit/webhooks-examples/api.github.com/index.json', 'utf8'),
    ) as { name: string; examples: JsonObject[] }[];
    const withRefs = examples
      .filter(({ name, examples: payloads }) => payloads.some((payload) => getRefs(name, payload).length > 0))
      .map(({ name }) => name);
    expect(withRefs.toSorted()).toEqual(
      [
        ...['check_run', 'check_suite', 'create', 'delete', 'deployment', 'deployment_status', 'merge_group'],
        ...[
          'pull_request',
          'pull_request_review',
          'pull_request_review_comment',
          'pull_request_review_thread',
        ],
        ...[
          'push',
          'release',
          'repository_dispatch',
          'status',
          'workflow_dispatch',
          'workflow_job',
          'workflow_run',
        ],
      ].toSorted(),
    );
  });
});
