import { lazyPart } from '../../loading/lazy-part.ts';

/** `Difference` for pages that have no other use for the code editor, which it brings along. */
export const LazyDifference = lazyPart(async () => (await import('./difference.tsx')).Difference);
