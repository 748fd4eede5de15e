import { testByCli } from './harness/run-by-cli.ts';

testByCli('000', '150');
