import { vi, afterEach } from 'vitest';
import { cleanup, configure } from '@testing-library/react';

// Set-up of test files that share a process: resets the state of source modules, such as visible
// notifications, for the next file. Libraries are not loaded again, which is most of the cost of isolation.
vi.resetModules();

// Testing Library itself would time out after a second, which a busy machine takes at times.
configure({ asyncUtilTimeout: 25_000 });

// Otherwise the output of a test would be next to that of the next one, even in another file.
afterEach(cleanup);

// The document of a test has no layout, so nothing can be scrolled.
Element.prototype.scrollIntoView = () => undefined;

// jsdom has no media queries; uPlot asks for one as it loads.
window.matchMedia = (media) =>
  Object.assign(new EventTarget(), {
    media,
    matches: false,
    onchange: null,
    addListener: () => undefined,
    removeListener: () => undefined,
  });
