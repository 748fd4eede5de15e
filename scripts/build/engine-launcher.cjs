#!/usr/bin/env node
// Copied to out/cli/engine.js as it is. It must parse on Node 20: older machines get past it to Node 24.
'use strict';

const OLDEST_MAJOR = 22;

if (Number.parseInt(process.versions.node, 10) >= OLDEST_MAJOR) {
  require(`${__dirname}/program.cjs`);
} else {
  startUnderBundledNode();
}

/** The native SQLite driver crashes on Node 20 (it needs a newer Node-API), so the project's own Node takes over. */
function startUnderBundledNode() {
  const { spawn } = require('node:child_process');
  const { existsSync } = require('node:fs');
  const { constants } = require('node:os');
  const path = require('node:path');
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const node = path.join(__dirname, `../../node_modules/node/bin/node${suffix}`);
  if (!existsSync(node)) {
    process.stderr.write(`engine: Node.js ${OLDEST_MAJOR} or newer is needed; this is ${process.version}\n`);
    process.exit(1);
  }
  const child = spawn(node, [__filename, ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'])) {
    // A terminal delivers its own signals to the child as well, and a second one means "force".
    const fromTerminal = process.stdin.isTTY && (signal === 'SIGINT' || signal === 'SIGQUIT');
    process.on(signal, () => fromTerminal || child.kill(signal));
  }
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + (signal ? constants.signals[signal] : 0);
  });
}
