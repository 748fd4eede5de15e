import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { describeWithSsh, isRunning, sshAction } from '../../../harness/servers/ssh.ts';
import { makeTemporaryFolder, until } from '../../../harness/resources.ts';
import { runStep, startStep } from '../step-harness.ts';

/** Syntax that a shell would interpret, were it not data. */
const nasty = `it's "$(touch pwned)" \`id\` ; exit 9 \\ \n* é`;

describeWithSsh('command on another host', (server) => {
  it('writes both streams to the log and returns the exit code', async () => {
    const command = 'echo "to stdout"; echo "to stderr" >&2; exit 7';
    const { end, stdout, stderr } = await runStep(sshAction(server(), { command }));
    expect(end).toEqual({ exitCode: 7, error: 'exit code 7: to stderr' });
    expect([stdout, stderr]).toEqual(['to stdout\n', 'to stderr\n']);
  });

  it('ends at the first failing line, as on this machine', async () => {
    const { end, stdout } = await runStep(sshAction(server(), { command: 'false\necho not reached' }));
    expect([end.exitCode, stdout]).toEqual([1, '']);
  });

  it('returns the signal that ended it', async () => {
    const { end } = await runStep(sshAction(server(), { command: 'kill -USR1 $$' }));
    expect(end).toEqual({ signal: 'SIGUSR1', error: 'terminated by signal SIGUSR1' });
  });

  it('runs a list of words without a shell, each as one argument', async () => {
    const argv = ['printf', '[%s]', nasty, '$HOME', ''];
    const { end, stdout } = await runStep(sshAction(server(), { argv }));
    expect([end.exitCode, stdout]).toEqual([0, `[${nasty}][$HOME][]`]);
  });

  it('gets values through the environment, where they are data', async () => {
    const { stdout } = await runStep(
      sshAction(server(), { command: 'printf "%s|%s" "$VALUE" "$1"; env | grep -c "^OTHER=" || true' }),
      { env: { VALUE: nasty, UNUSED: 'x' }, positional: [nasty] },
    );
    expect(stdout).toBe(`${nasty}|${nasty}0\n`);
  });

  it('gets the variables it names and those of the step, and no others', async () => {
    const { stdout } = await runStep(
      sshAction(server(), { command: 'env | grep -E "^(NAMED|SECRET|DECLARED)=" | sort; : $NAMED' }),
      {
        env: { NAMED: '1', TOKEN: 'hidden', DECLARED_HERE: '2' },
        step: { env: [{ name: 'DECLARED_HERE', value: '2' }] },
      },
    );
    expect(stdout).toBe('NAMED=1\n');
    const declared = await runStep(sshAction(server(), { command: 'env | grep -E "^(DECLARED|TOK)"' }), {
      env: { TOKEN: 'hidden', DECLARED_HERE: '2' },
      step: { env: [{ name: 'DECLARED_HERE', value: '2' }] },
    });
    expect(declared.stdout).toBe('DECLARED_HERE=2\n');
  });

  it('has the paths of its own host, not those of this machine', async () => {
    const PATH = `${process.env['PATH']}:/only/here`;
    vi.stubEnv('PATH', PATH);
    const { stdout } = await runStep(sshAction(server(), { command: 'echo "$PATH"' }), { env: { PATH } });
    expect(stdout).toContain('/bin');
    vi.unstubAllEnvs();
    expect(stdout).not.toContain('/only/here');
  });

  it('has engine values inserted as data', async () => {
    const { stdout } = await runStep(sshAction(server(), { command: 'printf %s "${OUT.outputs.key}"' }), {
      env: { OUT: '{}' },
      expand: (text) => text.replaceAll('${OUT.outputs.key}', nasty),
    });
    expect(stdout).toBe(nasty);
  });

  it('has no input, and does not see the control line', async () => {
    const { end, stdout } = await runStep(sshAction(server(), { command: 'cat; ls /proc/self/fd' }));
    expect(end.exitCode).toBe(0);
    expect(stdout.trim().split('\n')).toEqual(['0', '1', '2', '3']);
  });

  it('uses the shell of the step', async () => {
    const { stdout } = await runStep(sshAction(server(), { command: 'echo ${BASH_VERSION:+bash}' }), {
      step: { shell: ['bash'] },
    });
    expect(stdout).toBe('bash\n');
  });

  it('reports a missing shell', async () => {
    const { end } = await runStep(sshAction(server(), { command: 'true' }), {
      step: { shell: ['no-shell'] },
    });
    expect(end.error).toMatch(/^exit code 127 \(command not found\).*no-shell.*not found/s);
  });

  it('rejects a NUL character', async () => {
    const { end } = await runStep(sshAction(server(), { command: 'echo a\0b' }));
    expect(end.error).toContain('The command, or a value in it, contains a NUL character. Remove it.');
  });

  it('keeps long output complete and in order', async () => {
    const { end, stdout } = await runStep(sshAction(server(), { command: 'seq 1 400000' }));
    expect(end.exitCode).toBe(0);
    expect(stdout).toBe(`${Array.from({ length: 400_000 }, (_, index) => index + 1).join('\n')}\n`);
  });

  it('kills background processes, so that nothing prevents its end', async () => {
    const { end, stdout } = await runStep(sshAction(server(), { command: 'sleep 1000 & echo $!' }));
    expect(end).toEqual({ exitCode: 0 });
    // The kill is in progress when the step ends; the kernel takes its time on a busy machine.
    await until(() => !isRunning(Number(stdout)));
  });
});

describeWithSsh('script on another host', (server) => {
  it('runs by the shell with the parameters, whatever it contains', async () => {
    const script = `cat <<'EOF'\n${nasty}\nEOF\necho "$1,$2"\n`;
    const { stdout } = await runStep(sshAction(server(), { script }), { positional: ['a b', "c'd"] });
    expect(stdout).toBe(`${nasty}\na b,c'd\n`);
  });

  it('runs by its shebang', async () => {
    const script = '#!/usr/bin/env perl\nprint "perl $ENV{NAME}\\n";\n';
    const { stdout } = await runStep(sshAction(server(), { script }), { env: { NAME: 'x' } });
    expect(stdout).toBe('perl x\n');
  });

  it('runs by the command it is passed to', async () => {
    const { stdout } = await runStep(sshAction(server(), { command: 'perl -w', script: 'print 6 * 7' }));
    expect(stdout).toBe('42');
  });

  it('can be larger than an argument', async () => {
    const script = `# ${'x'.repeat(300_000)}\necho end\n`;
    const { stdout } = await runStep(sshAction(server(), { script }));
    expect(stdout).toBe('end\n');
  });

  it('leaves no file behind', async () => {
    const folder = makeTemporaryFolder();
    const choice = { step: { env: [{ name: 'TMPDIR', value: folder }] }, env: { TMPDIR: folder } };
    await runStep(sshAction(server(), { script: 'exit 3' }), choice);
    expect(readdirSync(folder)).toEqual([]);
    const step = startStep(sshAction(server(), { script: 'echo ready; sleep 1000' }), choice);
    await step.ready();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('reports a full disk of its host', async () => {
    const choice = { TMPDIR: join(makeTemporaryFolder(), 'missing') };
    const step = { env: [{ name: 'TMPDIR', value: '' }] };
    const { end } = await runStep(sshAction(server(), { script: 'exit 3' }), { step, env: choice });
    expect(end.error).toMatch(
      /the host did not run the command \(exit code 126\): mktemp: .*writable temporary folder/s,
    );
  });
});
