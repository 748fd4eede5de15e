import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exitJournal } from '../../../core/model/run.ts';
import { readExitJournal, readExitRecord, writeExitRecord } from '../../../core/process/exits.ts';
import { makeTemporaryFolder } from '../../harness/resources.ts';

function makeRun() {
  const runDir = makeTemporaryFolder();
  mkdirSync(join(runDir, 'a.1'));
  return { runDir, attempt: (name: string) => join(runDir, name), journal: join(runDir, exitJournal) };
}

describe('exit records', () => {
  it('are read as they were written, by attempt', () => {
    const { runDir, attempt } = makeRun();
    writeExitRecord(attempt('a.1'), { exitCode: 3, finishedAt: 17 });
    writeExitRecord(attempt('b.1'), { signal: 'SIGKILL', finishedAt: 18, error: 'line\nbreak' });
    expect(readExitRecord(attempt('a.1'))).toEqual({ exitCode: 3, finishedAt: 17 });
    expect([...readExitJournal(runDir)]).toEqual([
      ['a.1', { exitCode: 3, finishedAt: 17 }],
      ['b.1', { signal: 'SIGKILL', finishedAt: 18, error: 'line\nbreak' }],
    ]);
  });

  it('are absent for a run or an attempt without one', () => {
    const { attempt } = makeRun();
    expect(readExitRecord(attempt('a.1'))).toBeUndefined();
    writeExitRecord(attempt('a.1'), { exitCode: 0, finishedAt: 1 });
    expect(readExitRecord(attempt('a.2'))).toBeUndefined();
  });

  it('survive a truncated line before them', () => {
    const { attempt, journal } = makeRun();
    writeExitRecord(attempt('a.1'), { exitCode: 0, finishedAt: 1 });
    appendFileSync(journal, '\n{"dir":"b.1","exitCo');
    writeExitRecord(attempt('c.1'), { exitCode: 2, finishedAt: 2 });
    expect(readExitRecord(attempt('a.1'))?.exitCode).toBe(0);
    expect(readExitRecord(attempt('b.1'))).toBeUndefined();
    expect(readExitRecord(attempt('c.1'))?.exitCode).toBe(2);
  });

  it.each(['{"dir":"a.1"}', '{"dir":"a.1","exitCode":"0","finishedAt":1}', 'null', '[]', '\0\0'])(
    'ignore %j',
    (line) => {
      const { attempt, journal } = makeRun();
      appendFileSync(journal, `\n${line}`);
      expect(readExitRecord(attempt('a.1'))).toBeUndefined();
    },
  );

  it('are lines a person can read', () => {
    const { attempt, journal } = makeRun();
    writeExitRecord(attempt('a.1'), { exitCode: 0, finishedAt: 1 });
    expect(readFileSync(journal, 'utf8')).toBe('\n{"dir":"a.1","exitCode":0,"finishedAt":1}');
  });
});
