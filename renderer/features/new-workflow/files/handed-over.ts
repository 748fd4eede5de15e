import { create } from 'zustand';
import type { TakenFile } from './take-file.ts';

/** Files dropped on another page, for the page that creates workflows from them. */
export const useHandedOver = create<{ readonly files: readonly TakenFile[] }>(() => ({ files: [] }));
