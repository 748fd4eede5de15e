import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * `npm run e2e:electron`: the specs of the desktop app on the real binary, where it is there, and the list of what a
 * person has to look at. Exit code 1 when a spec fails; a machine without the binary or a display gets the list only.
 */
const ROOT = join(import.meta.dirname, '../..');

/** What no program can judge. Each is a sentence to be answered with yes (docs/desktop-system.md). */
const checklist = [
  'Tray: the icon shows idle, running, failed and paused; the menu opens with either mouse button; on GNOME without an extension the app says how to get back.',
  'Notifications: a failure shows one, its buttons Open and Retry work; with quiet hours on none comes.',
  'Sleep: after a suspend of ten minutes a schedule that was due in it starts once.',
  'Start at login: after signing out and in the app is in the tray, without a window.',
  'Links: with the package installed, stepwright://dag/sales-etl from a browser opens the editor, with the app running and not.',
  'Files: "open with" on a .dag.yaml shows it and runs nothing; dropping it on the window does the same.',
  'Keychain: on a desktop with GNOME Keyring or KWallet there is no warning, and a secret works after a new start.',
  'Terminal: vim and less draw rightly, resize with the window, copy and paste work; closing the window with vim open asks.',
  'Service: switched on, systemctl --user status stepwright (launchctl, Task Scheduler) shows it after signing in; switched off, nothing is left.',
  'The command: switched on, engine --version works in a new terminal; with an AppImage as well.',
  'Updates: with a feed, a new version is downloaded and told of; with a run active it is taken only after its end.',
  'macOS: the archive is signed and notarised, a first start shows no warning; Windows: the installer and its removal leave no files but the home.',
];

const dist = join(ROOT, 'node_modules/electron/dist');
const hasBinary = existsSync(dist) && existsSync(join(ROOT, 'node_modules/electron/path.txt'));
const hasDisplay =
  process.platform !== 'linux' || Boolean(process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY']);

function runSpecs(): number {
  if (!hasBinary) {
    say('The Electron binary is not here (npx install-electron fetches it): no spec was run on it.');
    return 0;
  }
  if (!hasDisplay) {
    say('There is no display: run it as xvfb-run npm run e2e:electron.');
    return 1;
  }
  const { ELECTRON_OVERRIDE_DIST_PATH: _, ...env } = process.env;
  const words = [
    'test',
    'test/e2e/desktop',
    'test/electron-standin/fidelity',
    '--workers=1',
    ...process.argv.slice(2),
  ];
  const cli = join(ROOT, 'node_modules/@playwright/test/cli.js');
  return spawnSync(process.execPath, [cli, ...words], { cwd: ROOT, env, stdio: 'inherit' }).status ?? 1;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

const code = runSpecs();
say('\nTo be looked at by eye, on each platform:');
for (const [index, line] of checklist.entries()) say(`[ ] ${index + 1}. ${line}`);
process.exitCode = code;
