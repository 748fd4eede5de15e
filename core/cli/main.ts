import path from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };

const first = process.argv[2];

// The two answers that need nothing of the engine are given before anything else is loaded.
if (process.argv.length === 3 && (first === '--version' || first === '-V' || first === 'version')) {
  process.stdout.write(`engine ${packageJson.version}\n`);
} else {
  const { enableCompileCache } = await import('node:module');
  enableCompileCache();
  const { runCommandLine } = await import('./run-command-line.ts');
  await runCommandLine(process.argv.slice(2), {
    version: packageJson.version,
    webRoot: path.join(import.meta.dirname, '../renderer'),
    samplesDir: path.join(import.meta.dirname, '../../resources/samples'),
    schemasDir: path.join(import.meta.dirname, '../../resources/schema'),
  });
}
