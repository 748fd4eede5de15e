#!/usr/bin/env node
// Copied to out/cli/engine.js as it is. It must parse on Node 20: older machines get past it to Node 24.
'use strict';

/** The oldest Node that the engine runs on; see scripts/package/node-24.cjs. */
const OLDEST_MAJOR = 22;

if (Number.parseInt(process.versions.node, 10) >= OLDEST_MAJOR) {
  require(`${__dirname}/program.cjs`);
} else {
  startUnderNode24();
}

function startUnderNode24() {
  const { spawn } = require('node:child_process');
  const { constants } = require('node:os');
  const { downloadNode24, findNode24 } = require(`${__dirname}/../../scripts/package/node-24.cjs`);
  const node = findNode24() ?? downloadNode24();
  if (node === undefined) {
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
