/**
 * Checks every regular expression of the product, literals and the strings of `…Pattern` constants and of
 * `pattern` in schemas, for matching that takes more than linear time (ReDoS), with recheck. Verdicts are
 * in pattern-verdicts.json, so that only new patterns take time, and a busy machine changes none; to be
 * committed when it has changed. Run by `npm run lint`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { check } from 'recheck';
import { parseSync, Visitor } from 'vite';
import { listSources } from './source-metrics.ts';

const ROOT = join(import.meta.dirname, '../..');
const VERDICTS = join(import.meta.dirname, 'pattern-verdicts.json');
/** Timeout per pattern in milliseconds; for a few, recheck has no verdict regardless of time. */
const TIMEOUT_MS = 5_000;

/**
 * Files and directories whose patterns may take quadratic or cubic time, and what bounds the length of the
 * input. Exponential patterns are never allowed.
 */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'renderer/': 'a line or a name that the person types or sees, in their own window',
  'main/': 'paths and output of programs of the system',
  'core/edit/': 'parts of a workflow that the person edits, in their own window',
  'core/edit/import/': 'a file that the person imports, in their own window or by engine import',
  'core/cli/': 'arguments of the person at the machine',
  'core/home/service/': 'output of programs of the system',
  'core/home/config/': 'config.yaml, which the person owns',
  'core/process/secrets/masker.ts': 'values of secrets, which the person owns',
  'core/spec/rules/': 'a workflow text; large ones are checked in a thread with a deadline',
  'core/spec/explain-lines.ts': 'a workflow text; large ones are checked in a thread with a deadline',
  'core/store/postgres/postgres-database.ts': 'SQL that is written in the source',
  'core/gateway/openapi.ts': 'names of types in the catalog of the database, at most 63 bytes each',
  'core/gateway/catalog/catalog-queries.ts': 'settings of roles in the catalog of the database',
  'core/contract/client/send.ts': 'the address of a server, which the person gives',
  'core/webhooks/lazy-inbound.ts': 'an address in config.yaml, which the person owns',
  'core/contract/transport.ts': 'a digest in a header',
  'core/distributed/files/bucket.ts': 'an address in config.yaml, which the person owns',
  'core/distributed/worker/coordinators.ts': 'the address of a coordinator, which the person gives',
  'core/store/maintenance/read-backup.ts': 'an address in config.yaml, which the person owns',
  'core/executors/container/run-container.ts': 'an error of the container engine',
  'core/http/web-ui.ts': 'the path of a file of the web UI',
  'core/model/trace-context.ts': 'a header, or at most 512 characters of it',
  'core/model/workflow-rules.ts': 'an address in a workflow, which the person owns',
  'core/store/maintenance/migrate-history.ts': 'names of files, at most 255 bytes',
  'core/executors/actions/git.ts': 'the name of a server in a workflow',
  'core/executors/archive/entries.ts': 'a glob of a workflow',
  'core/executors/container/images.ts': "the person's own configuration of Docker",
  'core/executors/ssh/connect.ts': 'a digest of 44 characters',
  'core/run/steps/plan-items.ts': 'stops at the next quote: recheck has no certain verdict',
};

interface Found {
  readonly location: string;
  readonly source: string;
  readonly flags: string;
}

const isString = (
  node: { readonly type: string } | null,
): node is { readonly type: 'Literal'; readonly value: string; readonly start: number } =>
  node?.type === 'Literal' && 'value' in node && typeof node.value === 'string';

function findPatterns(): Found[] {
  return listSources(ROOT, ['core', 'main', 'preload', 'renderer']).flatMap((file) => {
    const text = readFileSync(join(ROOT, file), 'utf8');
    const found: Found[] = [];
    const add = ({ start }: { readonly start: number }, source: string, flags = ''): void => {
      const line = text.slice(0, start).split('\n').length;
      found.push({ location: `${file}:${line}`, source, flags });
    };
    new Visitor({
      Literal(node) {
        if ('regex' in node) add(node, node.regex.pattern, node.regex.flags);
      },
      VariableDeclarator({ id, init }) {
        if (id.type === 'Identifier' && /pattern$/i.test(id.name) && isString(init)) add(init, init.value);
      },
      Property({ key, value }) {
        if (key.type === 'Identifier' && key.name === 'pattern' && isString(value)) add(value, value.value);
      },
    }).visit(parseSync(file, text).program);
    return found;
  });
}

const getKey = ({ source, flags }: Found): string => `/${source}/${flags}`;

/** Returns `safe`, `polynomial`, `exponential` or `unknown` for each pattern; two are checked at a time. */
async function judge(patterns: readonly Found[]): Promise<Record<string, string>> {
  const known = JSON.parse(readFileSync(VERDICTS, 'utf8')) as Record<string, string>;
  const found = new Map(patterns.map((one) => [getKey(one), one]));
  const verdicts = Object.fromEntries(Object.entries(known).filter(([key]) => found.has(key)));
  const open = [...found].filter(([key]) => verdicts[key] === undefined);
  const work = async (): Promise<void> => {
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const [key, { source, flags }] = next;
      const result = await check(source, flags, { timeout: TIMEOUT_MS, randomSeed: 7 });
      verdicts[key] = result.status === 'vulnerable' ? result.complexity.type : result.status;
    }
  };
  await Promise.all([work(), work()]);
  const sorted = Object.fromEntries(Object.entries(verdicts).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(VERDICTS, `${JSON.stringify(sorted, undefined, 2)}\n`);
  return verdicts;
}

const patterns = findPatterns();
const verdicts = await judge(patterns);
const faults = patterns.flatMap((found) => {
  const verdict = verdicts[getKey(found)];
  const isExcepted = Object.keys(EXCEPTIONS).some((location) => found.location.startsWith(location));
  const isRefused = verdict === 'exponential' || (verdict === 'polynomial' && !isExcepted);
  return isRefused ? [`${found.location}: ${verdict} time: ${getKey(found)}`] : [];
});
console.log(faults.length === 0 ? `${patterns.length} regular expressions checked` : faults.join('\n'));
// The checker's child process keeps this process alive.
process.exit(faults.length === 0 ? 0 : 1);
