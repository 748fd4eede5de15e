import { vi } from 'vitest';

// Set-up of test files that share a process: resets the state of source modules, such as visible
// notifications, for the next file. Libraries are not loaded again, which is most of the cost of isolation.
vi.resetModules();
