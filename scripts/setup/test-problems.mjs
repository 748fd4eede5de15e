import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { ROOT } from './paths.mjs';

/**
 * Lists failed and skipped tests: file, test name, and the beginning of the message. They are printed again at
 * the end, because often only the end of a long output is stored.
 * @param {string} file a JSON report of Vitest
 * @returns {string[]}
 */
export function readVitestProblems(file) {
  if (!existsSync(file)) return ['Vitest left no report'];
  return readReport(file).testResults.flatMap((/** @type {any} */ result) => {
    const path = relative(ROOT, result.name);
    const tests = result.assertionResults.flatMap((/** @type {any} */ test) =>
      test.status === 'passed' ? [] : [tell(test.status, path, test.fullName, test.failureMessages?.[0])],
    );
    const isBroken = result.status === 'failed' && tests.length === 0;
    return isBroken ? [tell('failed', path, 'the whole file', result.message)] : tests;
  });
}

/**
 * Lists failed and skipped specs of a Playwright report.
 * @param {string} file
 * @returns {string[]}
 */
export function readPlaywrightProblems(file) {
  if (!existsSync(file)) return ['Playwright left no report'];
  const { suites = [], errors } = readReport(file);
  const ofSuite = (/** @type {any} */ suite) => [
    ...(suite.specs ?? []).flatMap(ofSpec),
    ...(suite.suites ?? []).flatMap(ofSuite),
  ];
  const outside = errors.map((/** @type {any} */ error) =>
    tell('failed', '', 'outside any spec', error.message),
  );
  return [...suites.flatMap(ofSuite), ...outside];
}

/** @param {any} spec */
function ofSpec(spec) {
  return spec.tests.flatMap((/** @type {any} */ test) => {
    if (test.status === 'expected') return [];
    const failure = test.results.find((/** @type {any} */ result) => result.error !== undefined);
    return [tell(test.status, `${spec.file}:${spec.line}`, spec.title, failure?.error.message)];
  });
}

/**
 * @param {string} status
 * @param {string} place
 * @param {string} name
 * @param {string} [message]
 */
function tell(status, place, name, message = '') {
  const lines = stripVTControlCharacters(message).split('\n').slice(0, 6);
  return [
    `${status}: ${place} ${name}`,
    ...lines.filter((line) => line !== '').map((line) => `    ${line}`),
  ].join('\n');
}

/** @param {string} file */
const readReport = (file) => JSON.parse(readFileSync(file, 'utf8'));
