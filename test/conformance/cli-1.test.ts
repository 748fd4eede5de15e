import { testByCli } from './harness/test-by-cli.ts';

testByCli('000', '150');
