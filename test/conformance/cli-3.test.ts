import { testByCli } from './harness/run-by-cli.ts';

testByCli('300', '999');
