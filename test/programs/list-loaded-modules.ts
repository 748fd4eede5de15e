import { registerHooks } from 'node:module';

/**
 * A program that runs a workflow and prints the loaded OpenTelemetry modules, one URL per line. Arguments:
 * the home, the YAML of the workflow.
 */
const loaded: string[] = [];
registerHooks({
  load(url, context, next) {
    if (url.includes('opentelemetry') || url.includes('telemetry/otlp')) loaded.push(url);
    return next(url, context);
  },
});
const [home = '', spec = ''] = process.argv.slice(2);
const { openEngine, systemClock } = await import('../../core/index.ts');
const logger = { info() {}, warn() {}, error() {} };
const host = await openEngine({ home, clock: systemClock, logger, version: 'test' });
await host.waitForEnd(await host.startRun({ source: { spec }, trigger: 'api' }));
await host.close('stop');
process.stdout.write(loaded.map((url) => `${url}\n`).join(''));
