import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { defaultSettings, DesktopSettingsFile } from '../../main/settings.ts';
import { makeTemporaryFolder } from '../harness/resources.ts';

let file: string;
let reports: string[];
const open = (): DesktopSettingsFile => new DesktopSettingsFile(file, (what) => reports.push(what));
const readKept = (): unknown => JSON.parse(readFileSync(file, 'utf8'));

beforeEach(() => {
  file = path.join(makeTemporaryFolder(), 'desktop', 'desktop.json');
  reports = [];
});

test('a first start uses the defaults and writes nothing', () => {
  expect(open().current).toEqual(defaultSettings);
  expect(existsSync(file)).toBe(false);
});

test('a change applies immediately, for listeners and for later starts', () => {
  const settings = open();
  const heard: string[] = [];
  const stop = settings.onChange(({ life }) => heard.push(life.onClose));
  settings.change({ life: { onClose: 'quit' } });
  stop();
  settings.change({ power: { keepAwake: true } });
  expect(heard).toEqual(['quit']);
  expect(open().current).toEqual({
    ...defaultSettings,
    life: { ...defaultSettings.life, onClose: 'quit' },
    power: { keepAwake: true },
  });
  expect(existsSync(`${file}.new`)).toBe(false);
});

if (process.platform !== 'win32')
  test('the file is readable by its owner only', () => {
    open().change({ life: { closeTold: true } });
    expect(statSync(file).mode & 0o077).toBe(0);
  });

describe('a manually edited file', () => {
  const write = (content: unknown): void => {
    mkdirSync(path.dirname(file));
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  };

  test('retains unknown fields when one is changed', () => {
    write({ later: [1], life: { onClose: 'quit', other: 'x' } });
    open().change({ life: { closeTold: true } });
    expect(readKept()).toEqual({ later: [1], life: { onClose: 'quit', closeTold: true, other: 'x' } });
  });

  test('falls back to the default of each invalid field only', () => {
    write({
      life: 'always',
      power: { toString: true },
      notifications: { quietFrom: '25:00', quietTo: '06:30', longRunMinutes: -1, workflows: { etl: 'none' } },
    });
    const { life, power, notifications } = open().current;
    expect(life).toEqual(defaultSettings.life);
    expect(power).toEqual(defaultSettings.power);
    expect(notifications).toEqual({
      ...defaultSettings.notifications,
      quietTo: '06:30',
      workflows: { etl: 'none' },
    });
  });

  test.each(['{"life": ', '[]', 'null'])('invalid settings (%s) are set aside and reported', (text) => {
    write(text);
    expect(open().current).toEqual(defaultSettings);
    expect(readFileSync(`${file}.damaged`, 'utf8')).toBe(text);
    expect(reports).toHaveLength(1);
  });
});

test('settings that cannot be written apply until exit, and that is reported', () => {
  writeFileSync(path.dirname(file), 'in the way');
  const settings = open();
  expect(settings.change({ power: { keepAwake: true } }).power.keepAwake).toBe(true);
  expect(settings.current.power.keepAwake).toBe(true);
  expect(reports.join()).toContain('Could not save');
});
