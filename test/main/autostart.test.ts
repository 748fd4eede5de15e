import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { Autostart, writeAutostartEntry, type AutostartContext } from '../../main/autostart.ts';
import { makeTemporaryFolder } from '../harness/resources.ts';

const context = (more: Partial<AutostartContext> = {}): AutostartContext => ({
  platform: 'linux',
  program: '/home/ann/My "Apps"/100%/Stepwright$.AppImage',
  args: [],
  configFolder: '/home/ann/.config',
  icon: 'stepwright',
  ...more,
});

const items = { openAtLogin: false, asked: undefined as unknown };
const app = {
  getLoginItemSettings: () => items as unknown as Electron.LoginItemSettings,
  setLoginItemSettings: (settings: Electron.Settings) => {
    items.openAtLogin = settings.openAtLogin ?? false;
    items.asked = settings;
  },
};

it('is a desktop entry, quoted according to its specification', () => {
  expect(writeAutostartEntry(context({ home: '/srv/a b' }))).toBe(`[Desktop Entry]
Type=Application
Name=Stepwright
Comment=Run workflows on a schedule
Exec="/home/ann/My \\\\"Apps\\\\"/100%%/Stepwright\\\\$.AppImage" "--engine-home" "/srv/a b" "--hidden"
Icon=stepwright
Terminal=false
X-GNOME-Autostart-enabled=true
`);
});

it('is written and removed, and detects when the desktop disables it', () => {
  const configFolder = makeTemporaryFolder();
  const login = new Autostart(context({ configFolder }), app);
  const file = path.join(configFolder, 'autostart', 'stepwright.desktop');
  expect(login.get()).toEqual({ enabled: false, place: file });
  expect(login.set(true).enabled).toBe(true);
  writeFileSync(file, readFileSync(file, 'utf8').replace('enabled=true', 'enabled=false'));
  expect(login.get().enabled).toBe(false);
  expect(login.set(false).enabled).toBe(false);
  expect(existsSync(file)).toBe(false);
});

it('reports an entry that cannot be written', () => {
  const configFolder = makeTemporaryFolder();
  writeFileSync(path.join(configFolder, 'autostart'), 'in the way');
  expect(() => new Autostart(context({ configFolder }), app).set(true)).toThrow('Could not change');
});

it('is a login item elsewhere, with arguments on Windows', () => {
  const program = 'C:\\Program Files\\Stepwright.exe';
  expect(new Autostart(context({ platform: 'win32', program, home: 'C:\\a b' }), app).set(true).enabled).toBe(
    true,
  );
  expect(items.asked).toEqual({
    path: program,
    args: ['--engine-home', '"C:\\a b"', '--hidden'],
    openAtLogin: true,
  });
  expect(new Autostart(context({ platform: 'darwin' }), app).set(false).enabled).toBe(false);
  expect(items.asked).toEqual({ openAtLogin: false });
});
