import { testByCli } from './harness/test-by-cli.ts';

testByCli('300', '999');
