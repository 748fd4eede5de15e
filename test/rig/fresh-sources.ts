import { vi } from 'vitest';

// Set-up of test files that share a process: what the sources remember, such as notifications that are shown, is not
// there for the next file. Libraries are not loaded anew, which is most of the time that isolation takes.
vi.resetModules();
