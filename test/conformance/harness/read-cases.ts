import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { parse } from 'yaml';
import { CaseFields, type ConformanceCase, type Topic } from './case-format.ts';
import { outcomes } from './expectation-format.ts';
import { kindOf, type Rerun } from './rerun-format.ts';

/** `test/conformance`. */
export const setFolder = join(import.meta.dirname, '..');

/** The whole set in order of its numbers. Throws, naming the case, when one does not have the form. */
export function readTopics(): Topic[] {
  return readdirSync(setFolder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && /^\d/.test(entry.name))
    .map(({ name }) => name)
    .sort()
    .map(readTopic);
}

/** The cases for one way to run them. */
export const readCasesFor = (way: 'cli' | 'api'): ConformanceCase[] =>
  readTopics()
    .flatMap(({ cases }) => cases)
    .filter(({ only }) => only === undefined || only === way);

/**
 * The environment that all cases together ask for; the API's cases share one server.
 * Throws when two cases want different values for a variable.
 */
export function mergeGiven(cases: readonly ConformanceCase[]): Record<string, string> {
  const merged: Record<string, string> = {};
  for (const { given = {}, title } of cases) {
    for (const [name, value] of Object.entries(given)) {
      if (merged[name] !== undefined && merged[name] !== value)
        throw new Error(`${title}: another case gives ${name} another value; choose another name`);
      merged[name] = value;
    }
  }
  return merged;
}

function readTopic(folder: string): Topic {
  const file = join(setFolder, folder, 'cases.yaml');
  const written: unknown = parse(readFileSync(file, 'utf8'));
  if (!Array.isArray(written)) throw new Error(`${file} must be a list of cases`);
  return { folder, cases: written.map((item: unknown) => readCase(folder, item)) };
}

function readCase(topic: string, written: unknown): ConformanceCase {
  const named = typeof written === 'object' && written !== null && 'case' in written ? written.case : '?';
  const title = `${topic}/${String(named)}`;
  check(title, CaseFields, written);
  const read = written as ConformanceCase;
  check(`${title}: expect`, chooseOutcome(title, read.expect), read.expect);
  for (const [index, rerun] of (read.afterwards ?? []).entries())
    checkRerun(`${title}: afterwards[${index}]`, rerun, index);
  return { ...read, topic, title };
}

function checkRerun(at: string, rerun: Rerun, index: number): void {
  try {
    kindOf(rerun, index);
  } catch (thrown) {
    throw new Error(`${at}: ${(thrown as Error).message}`, { cause: thrown });
  }
  check(`${at}: expect`, chooseOutcome(at, rerun.expect), rerun.expect);
}

function chooseOutcome(title: string, expectation: object): TSchema {
  const [kind, ...others] = Object.entries(outcomes).filter(([key]) => key in expectation);
  if (kind !== undefined && others.length === 0) return kind[1];
  throw new Error(`${title}: expect needs exactly one of ${Object.keys(outcomes).join(', ')}`);
}

function check(where: string, schema: TSchema, value: unknown): void {
  const [first] = Value.Errors(schema, value);
  if (first === undefined) return;
  throw new Error(`${where}${first.instancePath}: ${first.message} ${JSON.stringify(first.params)}`);
}
