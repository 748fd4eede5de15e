import { lazyPart } from '../../loading/lazy-part.ts';

/** `Difference` for pages that do not otherwise load the code editor. */
export const LazyDifference = lazyPart(async () => (await import('./difference.tsx')).Difference);
