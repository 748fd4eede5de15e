import { create } from 'zustand';
import type { ImportedFile } from './take-file.ts';

/** Files dropped on another page, for the page that creates workflows from them. */
export const usePendingFiles = create<{ readonly files: readonly ImportedFile[] }>(() => ({ files: [] }));
