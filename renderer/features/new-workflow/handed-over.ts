import { create } from 'zustand';
import type { SourceText } from './text-file.ts';
import type { TextWay } from './ways.ts';

/** A file that was dropped on one page, for the page that makes a workflow of it. */
export const useHandedOver = create<{
  readonly source: (SourceText & { readonly way: TextWay }) | undefined;
}>(() => ({ source: undefined }));
