import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  makeTestHome,
  runEngine,
  startEngine,
  waitForText,
  type TestHome,
} from '../harness/home-and-command.ts';

/** Records each call, and responds like systemd for an installed unit. */
const fakeSystemctl = `#!/bin/sh
echo "$@" >> "$CALLS"
[ -e "$CALLS.refuse" ] && [ "$2" = enable ] && { echo "Access denied" >&2; exit 4; }
case "$2" in
  show)
    if [ -e "$XDG_CONFIG_HOME/systemd/user/$3" ]; then
      printf 'LoadState=loaded\\nActiveState=active\\nUnitFileState=enabled\\n'
    else
      printf 'LoadState=not-found\\nActiveState=inactive\\nUnitFileState=\\n'
    fi ;;
esac
`;

function withSystemctl(place: TestHome) {
  const bin = join(place.cwd, 'bin');
  const calls = join(place.cwd, 'calls');
  mkdirSync(bin);
  writeFileSync(join(bin, 'systemctl'), fakeSystemctl);
  chmodSync(join(bin, 'systemctl'), 0o755);
  const environment = {
    PATH: `${bin}:/usr/bin:/bin`,
    CALLS: calls,
    XDG_CONFIG_HOME: join(place.cwd, 'config'),
    ENGINE_CONFIG: undefined,
  };
  return { environment, calls, listCalls: () => readFileSync(calls, 'utf8').trim().split('\n') };
}

// Only Linux has systemd.
if (process.platform === 'linux') {
  describe('engine service', () => {
    it('installs a unit that starts the engine of this home, and removes it', async () => {
      const place = makeTestHome();
      const { environment, calls, listCalls } = withSystemctl(place);
      const installed = await runEngine(place, ['service', 'install', '--format', 'json'], {
        ...environment,
        ENGINE_LOG_FORMAT: 'json',
      });
      expect(installed.code).toBe(0);
      const status = JSON.parse(installed.stdout) as { file: string; name: string };
      expect(status).toMatchObject({ installed: true, enabled: true, running: true, outdated: false });
      expect(installed.stderr).toContain('loginctl enable-linger');
      expect(installed.stderr).toContain('not for the service: ENGINE_LOG_FORMAT');
      expect(listCalls().slice(0, 3)).toEqual([
        '--user daemon-reload',
        `--user enable ${status.name}`,
        `--user restart ${status.name}`,
      ]);
      expect(statSync(status.file).mode & 0o777).toBe(0o600);
      const unit = readFileSync(status.file, 'utf8');
      expect(unit).toContain(`"--engine-home" "${place.home}" "start-all"`);
      expect(unit).not.toContain('ENGINE_LOG_FORMAT');

      writeFileSync(status.file, unit.replace('RestartSec=5', 'RestartSec=1'));
      const looked = await runEngine(place, ['service', 'status', '--format', 'json'], environment);
      expect(JSON.parse(looked.stdout)).toMatchObject({ outdated: true });

      writeFileSync(calls, '');
      const removed = await runEngine(place, ['service', 'uninstall'], environment);
      expect(removed.stdout).toMatch(/installed +no/);
      expect(existsSync(status.file)).toBe(false);
      expect(listCalls().slice(0, 2)).toEqual([
        `--user disable --now ${status.name}`,
        '--user daemon-reload',
      ]);
    });

    it('writes a command that starts the engine', async () => {
      const place = makeTestHome();
      const { environment } = withSystemctl(place);
      const installed = await runEngine(place, ['service', 'install', '--format', 'json'], environment);
      const { file } = JSON.parse(installed.stdout) as { file: string };
      const line = /^ExecStart=(.*)$/m.exec(readFileSync(file, 'utf8'))![1]!;
      const args = [...line.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, word]) => word!);
      expect(args[0]).toBe(process.execPath);
      const engine = startEngine(place, [...args.slice(2), '--port', '0']);
      await waitForText(engine.stdout, /Stepwright is ready at http/);
      engine.kill('SIGTERM');
      expect((await engine.ended).code).toBe(0);
    });

    it('cleans up when systemd fails', async () => {
      const place = makeTestHome();
      const { environment, calls } = withSystemctl(place);
      writeFileSync(`${calls}.refuse`, '');
      const refused = await runEngine(place, ['service', 'install'], environment);
      expect(refused.code).toBe(7);
      expect(refused.stderr).toContain('Access denied');
      expect(readdirSync(join(environment.XDG_CONFIG_HOME, 'systemd/user'))).toEqual([]);
    });

    it('says what to do without systemd', async () => {
      const place = makeTestHome();
      const empty = join(place.cwd, 'empty');
      mkdirSync(empty);
      const environment = { PATH: empty, XDG_CONFIG_HOME: join(place.cwd, 'config') };
      const refused = await runEngine(place, ['service', 'install'], environment);
      expect(refused.code).toBe(7);
      expect(refused.stderr).toContain('systemctl');
      expect(refused.stderr).toContain('run "engine start-all" with another service manager');
      const status = await runEngine(place, ['service', 'status'], environment);
      expect(status).toMatchObject({ code: 0 });
      expect(status.stdout).toMatch(/running +no/);
      expect(status.stderr).toContain('systemd does not respond for this user');
    });

    it('only starts and stops an installed service', async () => {
      const place = makeTestHome();
      const { environment, listCalls } = withSystemctl(place);
      expect((await runEngine(place, ['service', 'start'], environment)).code).toBe(3);
      await runEngine(place, ['service', 'install'], environment);
      expect((await runEngine(place, ['service', 'stop'], environment)).code).toBe(0);
      expect(listCalls().some((call) => call.startsWith('--user stop stepwright'))).toBe(true);
    });
  });
}
