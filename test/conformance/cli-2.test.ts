import { testByCli } from './harness/run-by-cli.ts';

testByCli('150', '300');
