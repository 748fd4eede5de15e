import { describe, expect, it } from 'vitest';
import { explainOpenError, explainSpawnError, isTransient } from '../../../core/process/launch-failure.ts';
import type { LaunchRequest } from '../../../core/process/launcher.ts';

const systemError = (code: string): NodeJS.ErrnoException =>
  Object.assign(new Error(`${code}: said the system`), { code });
const request = { argv: ['prog'], env: {}, cwd: '/' } as unknown as LaunchRequest;

describe('log files that cannot be opened', () => {
  it.each(['ENOSPC', 'EDQUOT'])('%s is a full disk', (code) => {
    const { reason, message } = explainOpenError(systemError(code), '/logs/run/a.1');
    expect(reason).toBe('storage_full');
    expect(message).toMatch(
      /cannot create the log files: the disk of \/logs\/run\/a\.1 is full; free some space and run the step again/,
    );
  });

  it('have exhausted file descriptors', () => {
    expect(explainOpenError(systemError('EMFILE'), '/x').message).toContain(
      'the limit on open files is reached',
    );
  });

  it('otherwise have the message of the system', () => {
    expect(explainOpenError(systemError('EROFS'), '/x').message).toContain('EROFS: said the system');
  });
});

describe('system limits', () => {
  it.each([
    ['EAGAIN', 'the process limit is reached'],
    ['ENOMEM', 'out of memory'],
    ['ENFILE', 'the limit on open files is reached'],
  ])('%s: %s', (code, text) => {
    expect(isTransient(systemError(code))).toBe(true);
    expect(explainSpawnError(systemError(code), request)).toMatchObject({
      reason: 'limit_reached',
      message: expect.stringContaining(text),
    });
  });

  it('are not reported for a missing program', () => {
    expect(isTransient(systemError('ENOENT'))).toBe(false);
  });
});
