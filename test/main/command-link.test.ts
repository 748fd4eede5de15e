import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, lstatSync, mkdirSync, readlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { CommandLink, type CommandLinkContext } from '../../main/command-link.ts';
import { makeTemporaryFolder } from '../harness/resources.ts';

let folder: string;
let link: string;
let userPath: string;
const windowsPath = {
  read: () => Promise.resolve(userPath),
  write: (value: string) => Promise.resolve(void (userPath = value)),
};
const open = (more: Partial<CommandLinkContext> = {}): CommandLink =>
  new CommandLink(
    {
      platform: 'linux',
      wrapper: '/opt/Stepwright/resources/bin/engine',
      userFolder: folder,
      searchPath: `/usr/bin:${path.join(folder, '.local/bin')}`,
      ...more,
    },
    windowsPath,
  );

beforeEach(() => {
  folder = makeTemporaryFolder();
  link = path.join(folder, '.local/bin/engine');
  userPath = 'C:\\Windows;C:\\Tools';
});

it('is a link to the wrapper, and is removed again', async () => {
  expect(await open().set(true)).toEqual({ enabled: true, place: link });
  expect(readlinkSync(link)).toBe('/opt/Stepwright/resources/bin/engine');
  expect((await open().set(false)).enabled).toBe(false);
  expect(existsSync(path.dirname(link)) && lstatSync(path.dirname(link)).isDirectory()).toBe(true);
});

it('follows an app that has moved', async () => {
  await open().set(true);
  const moved = open({ wrapper: '/new/Stepwright/resources/bin/engine' });
  await moved.set(true);
  expect(readlinkSync(link)).toBe('/new/Stepwright/resources/bin/engine');
});

it('reports when its folder is not on PATH', async () => {
  expect((await open({ searchPath: '/usr/bin' }).set(true)).problem).toContain('is not on the PATH');
});

it('does not touch a foreign command', async () => {
  mkdirSync(path.dirname(link), { recursive: true });
  writeFileSync(link, '#!/bin/sh\n');
  await expect(open().set(true)).rejects.toMatchObject({ code: 'already_exists' });
  await expect(open().set(false)).rejects.toMatchObject({ code: 'already_exists' });
  expect(existsSync(link)).toBe(true);
});

it('is a script for an AppImage, which starts its file and not its mount', async () => {
  const appImage = path.join(folder, "it's.AppImage");
  writeFileSync(appImage, '#!/bin/sh\nshift 2; echo "$ELECTRON_RUN_AS_NODE" "$@"\n');
  chmodSync(appImage, 0o755);
  const command = open({ wrapper: '/tmp/.mount_x/resources/bin/engine', appImage });
  expect((await command.set(true)).enabled).toBe(true);
  expect(execFileSync(link, ['start', 'a b']).toString()).toBe('1 -- start a b\n');
  expect((await command.set(false)).enabled).toBe(false);
});

it("is a folder on the user's PATH on Windows", async () => {
  const command = open({ platform: 'win32', wrapper: 'C:\\Apps\\Stepwright\\resources\\bin\\engine.cmd' });
  expect((await command.set(true)).enabled).toBe(true);
  await command.set(true);
  expect(userPath).toBe('C:\\Windows;C:\\Tools;C:\\Apps\\Stepwright\\resources\\bin');
  expect((await command.set(false)).enabled).toBe(false);
  expect(userPath).toBe('C:\\Windows;C:\\Tools');
});
