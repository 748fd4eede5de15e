// A file of its own: part of pages that do not load the code editor.
import { lazyComponent } from '../base/lazy-component.ts';

/** `DiffView` for pages that do not otherwise load the code editor. */
export const LazyDiff = lazyComponent(async () => (await import('./difference.tsx')).DiffView);
