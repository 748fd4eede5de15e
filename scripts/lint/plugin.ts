import { importDirection } from './import-direction.ts';
import { noAmbientClock } from './no-ambient-clock.ts';

/** The project's own lint rules, loaded by `oxlint.config.ts`. */
const plugin = {
  meta: { name: 'stepwright' },
  rules: { 'import-direction': importDirection, 'no-ambient-clock': noAmbientClock },
};

export default plugin;
