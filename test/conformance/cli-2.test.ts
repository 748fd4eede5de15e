import { testByCli } from './harness/test-by-cli.ts';

testByCli('150', '300');
