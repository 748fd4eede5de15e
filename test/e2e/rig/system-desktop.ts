import type { Locator, Page } from '@playwright/test';

/** The terminal panel of the window. */
export interface TerminalPanel {
  readonly panel: Locator;
  readonly text: Locator;
  type(text: string): Promise<void>;
  close(): Promise<void>;
}

/** Opens a terminal from the page of a run. */
export async function openTerminal(window: Page): Promise<TerminalPanel> {
  await window.getByRole('button', { name: 'Open terminal' }).click();
  const panel = window.getByRole('region', { name: 'Terminal' });
  await panel.locator('.xterm-rows').waitFor();
  return {
    panel,
    text: panel.locator('.xterm-rows'),
    async type(text) {
      await panel.locator('.xterm-helper-textarea').focus();
      await window.keyboard.type(text);
    },
    close: () => panel.getByRole('button', { name: /^Close terminal/ }).click(),
  };
}
