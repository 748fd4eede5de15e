import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readExitRecord } from '../../../core/process/exits.ts';
import { isAlive, listProcesses } from '../../../core/process/process-table.ts';
import { Masker } from '../../../core/process/secrets/masker.ts';
import { makeTemporaryFolder, until } from '../../harness/resources.ts';
import { findProgram, listOpenFiles, listAttemptProcesses, makeLaunchRig } from './launch-harness.ts';

const terminal = { columns: 120, rows: 40 };
const shell = (script: string) => ['sh', '-c', script];

/** Terminals that this process has open. */
const countTerminals = (): number =>
  readdirSync('/proc/self/fd').filter((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`).includes('ptmx');
    } catch {
      return false;
    }
  }).length;

async function inTerminal(
  script: string,
  given: Parameters<ReturnType<typeof makeLaunchRig>['launch']>[1] = {},
) {
  const launched = await makeLaunchRig().launch(shell(script), { terminal, ...given });
  return Object.assign(launched, { end: await launched.ended });
}

describe('process in a terminal', () => {
  it('has one for input, output and errors, of the configured size and with colors', async () => {
    const { end, stdout, stderr } = await inTerminal(
      'test -t 0 && test -t 1 && test -t 2 && stty size && echo "$TERM $COLORTERM" && echo said >/dev/tty && echo err >&2',
    );
    expect(end).toMatchObject({ exitCode: 0 });
    expect(stdout()).toBe('40 120\nxterm-256color truecolor\nsaid\nerr\n');
    expect(stderr()).toBe('');
  });

  it('leads its own session, is identified by pid and start time, and has the tag', async () => {
    const before = countTerminals();
    const launched = await makeLaunchRig().launch([findProgram('hang.sh')], { terminal });
    await launched.ready();
    expect(countTerminals()).toBe(before + 1);
    const row = listProcesses().find(({ pid }) => pid === launched.pid);
    expect(row).toMatchObject({ group: launched.pid, pidStart: launched.pidStart });
    expect(listAttemptProcesses(launched.attemptDir)).toContain(launched.pid);
    launched.stop();
    expect(await launched.ended).toMatchObject({ signal: 'SIGTERM' });
    expect(readExitRecord(launched.attemptDir)).toEqual(await launched.ended);
  });

  it.each([
    ['exit 7', { exitCode: 7 }],
    ['kill -KILL $$', { signal: 'SIGKILL' }],
    ['kill -SEGV $$', { signal: 'SIGSEGV' }],
  ])('ends as it ended: %s', async (script, expected) => {
    const { end, attemptDir } = await inTerminal(script);
    expect(end).toMatchObject(expected);
    expect(Object.keys(end).sort()).toEqual([...Object.keys(expected), 'finishedAt'].sort());
    expect(readExitRecord(attemptDir)).toEqual(end);
  });

  it('has no input, however often it reads', async () => {
    const { end, stdout } = await inTerminal(
      'cat; read line || echo "none"; cat | wc -c; cat </dev/tty; echo over',
    );
    expect(end).toMatchObject({ exitCode: 0 });
    expect(stdout()).toBe('none\n0\nover\n');
  });

  it('has a log of its output, byte for byte', async () => {
    const { stdout } = await inTerminal(
      String.raw`printf 'a\nb\r\n\tc\rd\r\r\ne\377\r' | tee raw; printf '\n'`,
    );
    expect(Buffer.from(stdout()).toString('latin1')).toBe(
      Buffer.from('a\nb\r\n\tc\rd\r\r\ne\uFFFD\r\n').toString('latin1'),
    );
  });

  it('has a complete log, however large it is', async () => {
    const { stdout } = await inTerminal('seq 1 200000');
    expect(stdout() === Array.from({ length: 200_000 }, (_, index) => `${index + 1}\n`).join('')).toBe(true);
  });

  it('is masked, including multi-line secrets', async () => {
    const masker = new Masker(['hunter2', 'one\ntwo']);
    const { stdout } = await inTerminal("printf 'hunt'; printf 'er2 one\\ntwo.\\n'", {
      relay: { copies: {}, mask: () => masker.stream() },
    });
    expect(stdout()).toBe('******* *******.\n');
  });

  it('sees its own variables, before those of the terminal', async () => {
    const { stdout } = await inTerminal('echo "$TERM|$COLORTERM|$X"', {
      env: { PATH: process.env.PATH!, TERM: 'dumb', X: 'a b' },
    });
    expect(stdout()).toBe('dumb|truecolor|a b\n');
  });

  it('gets its arguments byte for byte', async () => {
    const argv = ['a b', '"\'', '$(touch x)', '', '-n', '\\', '🙂'];
    const launched = await makeLaunchRig().launch(['printf', '%s|', ...argv], { terminal });
    await launched.ended;
    expect(launched.stdout()).toBe(argv.map((text) => `${text}|`).join(''));
  });
});

describe('closing a terminal', () => {
  it('ends leftover processes of the group, and leaves no descriptor', async () => {
    const before = countTerminals();
    const { attemptDir, end } = await inTerminal('sleep 1000 & echo started');
    expect(end).toMatchObject({ exitCode: 0 });
    expect(listAttemptProcesses(attemptDir)).toEqual([]);
    expect(countTerminals()).toBe(before);
    await until(() => listOpenFiles(attemptDir).length === 0);
  });

  it('reaches every process of the session, in any group', async () => {
    const launched = await makeLaunchRig().launch(
      ['bash', '-c', `set -m; sleep 1000 & setsid sleep 1000 & exec ${findProgram('hang.sh')}`],
      { terminal, cleanUpMs: 20 },
    );
    await launched.ready();
    await until(() => listAttemptProcesses(launched.attemptDir).length >= 3);
    launched.stop();
    await launched.ended;
    expect(listAttemptProcesses(launched.attemptDir)).toEqual([]);
  });

  it('kills processes that ignore the signal', async () => {
    const launched = await makeLaunchRig().launch([findProgram('ignore-term.sh')], {
      terminal,
      cleanUpMs: 20,
    });
    await launched.ready();
    launched.stop();
    expect(await launched.ended).toMatchObject({ signal: 'SIGKILL' });
  });

  it('happens when the detached engine exits', async () => {
    const runDir = makeTemporaryFolder();
    const program = join(import.meta.dirname, './leave-running.ts');
    const { stdout, status } = spawnSync(
      process.execPath,
      [program, runDir, findProgram('hang.sh'), 'terminal'],
      {
        encoding: 'utf8',
        timeout: 25_000,
      },
    );
    expect(status).toBe(0);
    await until(
      () =>
        !isAlive({ pid: Number(stdout), pidStart: '' }) &&
        listAttemptProcesses(join(runDir, 'attempt')).length === 0,
    );
  });
});

describe('a process that cannot be started in a terminal', () => {
  it('fails with the reason and leaves nothing behind', async () => {
    const { launcher, prepare, runDir } = makeLaunchRig();
    const before = countTerminals();
    const refuse = async (argv: readonly string[], given = {}) => {
      const tried = await launcher.launch(prepare(argv, { terminal, ...given }));
      return tried.ok ? undefined : tried.error;
    };
    expect(await refuse(['no-such-program'])).toMatchObject({ reason: 'not_found' });
    expect(await refuse(['/no/such/program'])).toMatchObject({ reason: 'not_found' });
    writeFileSync(join(runDir, 'data'), '');
    chmodSync(join(runDir, 'data'), 0o600);
    mkdirSync(join(runDir, 'folder'));
    expect(await refuse(['./data'])).toMatchObject({ reason: 'not_executable' });
    expect(await refuse(['./folder'])).toMatchObject({ reason: 'not_found' });
    expect(await refuse(['true'], { cwd: '/nowhere' })).toMatchObject({ reason: 'no_working_directory' });
    expect((await refuse(['echo', 'a\0b']))!.message).toContain(
      'cannot start "echo": an argument or variable contains a NUL byte',
    );
    expect(countTerminals()).toBe(before);
    expect(existsSync(join(runDir, 'a'))).toBe(false);
    await until(() => listOpenFiles(runDir).length === 0);
  });
});
