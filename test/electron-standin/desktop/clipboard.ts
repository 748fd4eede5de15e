import { createStrictModule } from '../app/strict-module.ts';

let text = '';

/** Electron's `clipboard`, for text, private to this process. */
export const clipboard = createStrictModule('clipboard', {
  readText: async (): Promise<string> => text,
  async writeText(value: string): Promise<void> {
    text = value;
  },
  clear(): void {
    text = '';
  },
});
