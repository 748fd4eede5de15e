import { lazy } from 'react';

/** `Difference` for pages that have no other use for the code editor, which it brings along. */
export const LazyDifference = lazy(async () => ({ default: (await import('./difference.tsx')).Difference }));
