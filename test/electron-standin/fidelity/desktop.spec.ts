import { expect, test } from './fixture-app.ts';

/** A PNG of 2 by 1 pixels. */
const PNG_URL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAYAAAD0In+KAAAAEUlEQVR4nGP4z8DwHwyBNAAsmwX7nNIvBgAAAABJRU5ErkJggg==';

test.describe('menus', () => {
  test('finds an item by id and clicks it with the focused window', async ({ shared }) => {
    await shared.app.evaluate(({ Menu }) => Menu.getApplicationMenu()?.getMenuItemById('greet')?.click());
    expect(shared.readEvents()).toContain('menu greet true');
  });

  test('a disabled item does nothing', async ({ shared }) => {
    await shared.app.evaluate(({ Menu }) => Menu.getApplicationMenu()?.getMenuItemById('disabled')?.click());
    expect(shared.readEvents()).not.toContain('menu disabled');
  });

  test('checkboxes toggle and radio items exclude each other', async ({ fixture }) => {
    const states = await fixture.app.evaluate(({ Menu }) => {
      const find = (id: string): Electron.MenuItem | null | undefined =>
        Menu.getApplicationMenu()?.getMenuItemById(id);
      find('check')?.click();
      find('two')?.click();
      return ['check', 'one', 'two'].map((id) => find(id)?.checked);
    });
    expect(states).toEqual([true, false, true]);
  });

  test('roles define labels, accelerators and submenus', async ({ shared }) => {
    const described = await shared.app.evaluate(({ Menu }) => {
      const [, edit, view] = Menu.getApplicationMenu()?.items ?? [];
      const quit = Menu.getApplicationMenu()?.getMenuItemById('quit');
      return {
        quit: [quit?.label, quit?.accelerator],
        labels: [edit?.label, view?.label],
        // Electron writes roles in lower case.
        edit: edit?.submenu?.items.map((item) => item.role?.toLowerCase()).filter(Boolean),
      };
    });
    expect(described.labels).toEqual(['Edit', 'View']);
    expect(described.quit[0]).toContain('Quit');
    expect(described.edit).toEqual(
      expect.arrayContaining(['undo', 'redo', 'cut', 'copy', 'paste', 'selectall']),
    );
  });

  test('an editing role acts on the focused page', async ({ fixture }) => {
    test.skip(fixture.choice.kind === 'electron', 'roles run inside the operating system there');
    const { app, page } = fixture;
    await page.getByLabel('Field').focus();
    await app.evaluate(({ Menu }) => {
      const edit = Menu.getApplicationMenu()?.items[1]?.submenu?.items;
      edit?.find(({ role }) => role?.toLowerCase() === 'selectall')?.click();
    });
    await expect.poll(() => page.evaluate(() => getSelection()?.toString())).toBe('text');
  });
});

test.describe('dialogs', () => {
  test('a test responds by replacing the method', async ({ fixture }) => {
    const answer = await fixture.app.evaluate(async ({ dialog }) => {
      dialog.showOpenDialog = async () => ({ canceled: false, filePaths: ['/picked.yaml'] });
      return dialog.showOpenDialog({ properties: ['openFile'] });
    });
    expect(answer).toEqual({ canceled: false, filePaths: ['/picked.yaml'] });
  });

  test('unanswered dialogs are cancelled', async ({ shared }) => {
    test.skip(shared.choice.kind === 'electron', 'a real dialog waits for a person');
    const answers = await shared.app.evaluate(async ({ dialog, BrowserWindow }) => {
      const window = BrowserWindow.getAllWindows()[0] as Electron.BrowserWindow;
      return [
        (await dialog.showOpenDialog({})).canceled,
        (await dialog.showSaveDialog(window, {})).canceled,
        (await dialog.showMessageBox({ message: 'Stop?', buttons: ['Stop', 'Cancel'] })).response,
        (await dialog.showMessageBox(window, { message: 'Stop?', buttons: ['Keep', 'Stop'], cancelId: 0 }))
          .response,
      ];
    });
    expect(answers).toEqual([true, true, 1, 0]);
  });
});

test('the theme applies to the page', async ({ fixture }) => {
  const { page } = fixture;
  const isDark = (): Promise<boolean> =>
    page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
  await page.evaluate(() => window.fixture.invoke('theme', 'light'));
  await expect.poll(isDark).toBe(false);
  await page.evaluate(() => window.fixture.invoke('theme', 'dark'));
  await expect.poll(isDark).toBe(true);
});

test('a tray has an image, a menu and a tooltip, and emits clicks', async ({ shared }) => {
  const clicks = await shared.app.evaluate(({ Menu, nativeImage, Tray }, url) => {
    const tray = new Tray(nativeImage.createFromDataURL(url));
    let count = 0;
    tray.on('click', () => count++);
    tray.setToolTip('Fixture: 1 running');
    tray.setContextMenu(Menu.buildFromTemplate([{ label: 'Open' }]));
    tray.emit('click');
    tray.destroy();
    return [count, tray.isDestroyed()];
  }, PNG_URL);
  expect(clicks).toEqual([1, true]);
});

test('a tray rejects a file that is not an image', async ({ shared }) => {
  const message = await shared.app.evaluate(({ Tray }) => {
    try {
      return `tray ${new Tray('/nowhere.png').getTitle()}`;
    } catch (error) {
      return (error as Error).message;
    }
  });
  expect(message).toContain("Failed to load image from path '/nowhere.png'");
});

test('images have a size and scale factor', async ({ shared }) => {
  const sizes = await shared.app.evaluate(({ nativeImage }, url) => {
    const image = nativeImage.createFromDataURL(url);
    image.setTemplateImage(true);
    return {
      size: image.getSize(),
      wider: image.resize({ width: 8 }).getSize(),
      empty: [image.isEmpty(), nativeImage.createEmpty().isEmpty()],
      // Electron does not support SVG, so the stand-in must not accept it.
      svg: nativeImage.createFromDataURL('data:image/svg+xml,<svg/>').isEmpty(),
    };
  }, PNG_URL);
  expect(sizes).toEqual({
    size: { width: 2, height: 1 },
    wider: { width: 8, height: 4 },
    empty: [false, true],
    svg: true,
  });
});

test('a notification is an emitter with its title and body', async ({ shared }) => {
  const seen = await shared.app.evaluate(({ Notification }) => {
    const notification = new Notification({ title: 'Run failed', body: 'etl' });
    let clicked = false;
    notification.on('click', () => {
      clicked = true;
    });
    notification.emit('click');
    return [Notification.isSupported(), notification.title, notification.body, clicked];
  });
  expect(seen.slice(1)).toEqual(['Run failed', 'etl', true]);
});

test('power events can be emitted, blockers are counted', async ({ shared }) => {
  const seen = await shared.app.evaluate(({ powerMonitor, powerSaveBlocker }) => {
    let resumed = 0;
    powerMonitor.once('resume', () => resumed++);
    powerMonitor.emit('resume');
    const id = powerSaveBlocker.start('prevent-app-suspension');
    const started = powerSaveBlocker.isStarted(id);
    powerSaveBlocker.stop(id);
    return [resumed, started, powerSaveBlocker.isStarted(id)];
  });
  expect(seen).toEqual([1, true, false]);
});

test('an encrypted secret can be decrypted and is not readable', async ({ shared }) => {
  const seen = await shared.app.evaluate(async ({ safeStorage }) => {
    const sealed = await safeStorage.encryptStringAsync('s3cret');
    const { result } = await safeStorage.decryptStringAsync(sealed);
    const damaged = Buffer.from(sealed);
    damaged[damaged.length - 1] = (damaged.at(-1) ?? 0) ^ 1;
    const refused = await safeStorage.decryptStringAsync(damaged).then(
      () => false,
      () => true,
    );
    return [sealed.includes('s3cret'), result, refused];
  });
  expect(seen).toEqual([false, 's3cret', true]);
});

test('reads and writes text on the clipboard', async ({ shared }) => {
  const text = await shared.app.evaluate(async ({ clipboard }) => {
    await clipboard.writeText('copied');
    return clipboard.readText();
  });
  expect(text).toBe('copied');
});

test('a display exists, and windows are inside it', async ({ shared }) => {
  const inside = await shared.app.evaluate(({ BrowserWindow, screen }) => {
    const { workArea } = screen.getPrimaryDisplay();
    const bounds = BrowserWindow.getAllWindows()[0]?.getBounds();
    return bounds && bounds.x >= workArea.x && bounds.x + bounds.width <= workArea.x + workArea.width;
  });
  expect(inside).toBe(true);
});

test('the application has its name, version and folders', async ({ shared }) => {
  const seen = await shared.app.evaluate(({ app }) => {
    app.setAppUserModelId('io.example.fixture');
    return {
      name: app.name,
      version: app.getVersion(),
      packaged: app.isPackaged,
      userData: app.getPath('userData'),
      logsInside: app.getPath('logs').includes(app.name) || app.getPath('logs').startsWith('/'),
    };
  });
  expect(seen).toEqual({
    name: 'Stand-in fixture',
    version: '1.2.3',
    packaged: false,
    userData: shared.userData,
    logsInside: true,
  });
});

test('reading a missing member of the stand-in throws', async ({ shared }) => {
  test.skip(shared.choice.kind === 'electron', 'real Electron lacks nothing');
  const message = await shared.app.evaluate(({ dialog }) => {
    try {
      return String(dialog.showCertificateTrustDialog);
    } catch (error) {
      return (error as Error).message;
    }
  });
  expect(message).toBe('electron stand-in: dialog.showCertificateTrustDialog is not implemented');
});
