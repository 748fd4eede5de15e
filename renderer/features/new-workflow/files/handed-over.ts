import { create } from 'zustand';
import type { TakenFile } from './take-file.ts';

/** Files that were dropped on one page, for the page that makes workflows of them. */
export const useHandedOver = create<{ readonly files: readonly TakenFile[] }>(() => ({ files: [] }));
