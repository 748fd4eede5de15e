import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { rollbackRestore } from '../../../../core/home/config/interrupted-restore.ts';
import type { AppError } from '../../../../core/base/errors.ts';
import { makeTemporaryFolder } from '../../../harness/resources.ts';

/** No process ever has this id: Linux goes up to 2^22. */
const noPid = 2 ** 30;

/** A home that a restore has moved away, and the files next to it. */
function interrupted(pid: number) {
  const folder = makeTemporaryFolder();
  const home = path.join(folder, 'home');
  const write = (name: string): void => {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), name);
  };
  write('home.before-restore-20260101T000000Z/dags/older.yaml');
  write('home.before-restore-20260601T000000Z/dags/mine.yaml');
  write(`home.restoring-${pid}/dags/theirs.yaml`);
  write(`home.restoring-${pid}/logs/mine/run.log`);
  return { folder, home };
}

it('puts the home back, including what was carried over, and removes unpacked files', () => {
  const { folder, home } = interrupted(noPid);
  expect(rollbackRestore(home)).toContain(
    'was interrupted. The previous home was restored. To use the backup, run the restore again.',
  );
  expect(readdirSync(path.join(home, 'dags'))).toEqual(['mine.yaml']);
  expect(existsSync(path.join(home, 'logs', 'mine', 'run.log'))).toBe(true);
  expect(readdirSync(folder).toSorted()).toEqual(['home', 'home.before-restore-20260101T000000Z']);
  expect(rollbackRestore(home)).toBeUndefined();
});

it('an empty directory in its place is not a home', () => {
  const { home } = interrupted(noPid);
  mkdirSync(home);
  expect(rollbackRestore(home)).toBeDefined();
  expect(readdirSync(path.join(home, 'dags'))).toEqual(['mine.yaml']);
});

it('does not touch a restore in progress, and names its process', () => {
  const { folder, home } = interrupted(process.ppid);
  let error: AppError | undefined;
  try {
    rollbackRestore(home);
  } catch (cause) {
    error = cause as AppError;
  }
  expect(error?.code).toBe('still_running');
  expect(error?.message).toContain(`process ${process.ppid}`);
  expect(error?.message).toContain('home.before-restore-20260601T000000Z');
  expect(readdirSync(folder)).toHaveLength(3);
});

it('does not touch an existing home, or one deleted after a restore', () => {
  const folder = makeTemporaryFolder();
  const home = path.join(folder, 'home');
  mkdirSync(`${home}.before-restore-20260101T000000Z`);
  expect(rollbackRestore(home)).toBeUndefined();
  expect(existsSync(home)).toBe(false);
  mkdirSync(path.join(home, 'dags'), { recursive: true });
  mkdirSync(`${home}.restoring-${noPid}`);
  expect(rollbackRestore(home)).toBeUndefined();
  expect(readdirSync(home)).toEqual(['dags']);
});
