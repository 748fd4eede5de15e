import { configure } from '@testing-library/react';

// Testing Library itself would give up after a second, which a busy machine takes at times.
configure({ asyncUtilTimeout: 25_000 });
