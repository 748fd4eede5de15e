import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { SqliteDatabase } from '../../../core/store/database/sqlite-database.ts';
import { checkHome } from './check-home.ts';
import { type FaultTestHome, withFaultTestHome } from './fault-home.ts';
import { begin } from './kill.ts';

function change(home: FaultTestHome, sql: string): void {
  const database = new SqliteDatabase(home.database);
  database.run(sql);
  database.close();
}

/** An inconsistency that no fault may cause. */
const wrongs: Readonly<Record<string, (home: FaultTestHome) => void>> = {
  'a step that ran twice': (home) => appendFileSync(home.effects, readFileSync(home.effects)),
  'a step that never ran': (home) => writeFileSync(home.effects, ''),
  'a step that ran without a record': (home) => appendFileSync(home.effects, '/elsewhere/a.1\n'),
  'a lost line': (home) => {
    const file = join(home.home, home.ran()[0]!, 'stdout.log');
    writeFileSync(file, readFileSync(file, 'utf8').replace('line 30\n', ''));
  },
  'a duplicate exit record': (home) => {
    const file = join(home.home, home.ran()[0]!, '../exits.jsonl');
    appendFileSync(file, readFileSync(file));
  },
  'another exit code': (home) => change(home, 'UPDATE attempt SET exit_code = 7'),
  'an unfinished run': (home) => change(home, "UPDATE run SET status = 'running', finished_at = NULL"),
  'an unfinished step': (home) => change(home, 'UPDATE step SET finished_at = NULL'),
  'a duplicate end event': (home) =>
    change(
      home,
      "INSERT INTO event (run_key, at, type, data) SELECT run_key, at, type, data FROM event WHERE type IN ('run.finished')",
    ),
};

describe.concurrent('home check', () => {
  it.each(Object.entries(wrongs))('detects %s', async (_what, spoil) => {
    await withFaultTestHome(async (home) => {
      home.save('plain', 'steps:\n  - { name: a, command: EFFECT }\n');
      expect(await home.run(begin('plain'))).toMatchObject({ code: 0 });
      await checkHome(home);
      spoil(home);
      await expect(checkHome(home)).rejects.toThrow(/^[a-z.\d ()]+: expected/);
    });
  });

  it('detects a leftover process', async () => {
    await withFaultTestHome(async (home) => {
      const child = spawn('sleep', ['600'], { env: home.environment(), detached: true, stdio: 'ignore' });
      await expect(checkHome(home, { timeoutMs: 500 })).rejects.toThrow('processes left behind');
      child.kill('SIGKILL');
    });
  });
});
