import { cacheDatabaseCode } from './databases/database-code-cache.ts';

// Set-up of test files that share a process and open embedded databases: compiling one takes longer than most
// tests.
await cacheDatabaseCode();
