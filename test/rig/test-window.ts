import { cleanup, configure } from '@testing-library/react';
import { afterEach } from 'vitest';

// Testing Library itself would give up after a second, which a busy machine takes at times.
configure({ asyncUtilTimeout: 25_000 });

// What a test has shown would otherwise stand beside what the next one shows, in another file even.
afterEach(cleanup);

// The document of a test has no layout, so nothing can be scrolled.
Element.prototype.scrollIntoView = () => undefined;
