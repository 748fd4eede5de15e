import { lazy, type ComponentType, type LazyExoticComponent } from 'react';
import { loadChunk } from './load-part.ts';

/**
 * Creates a component that is loaded when it is first rendered, inside a `Suspense`.
 * @param load imports it
 */
export const lazyComponent = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> => lazy(async () => ({ default: await loadChunk(load) }));
