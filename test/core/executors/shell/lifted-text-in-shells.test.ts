import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StepContext } from '../../../../core/executors/executor.ts';
import { bindVariables } from '../../../../core/executors/shell/bind-variables.ts';
import { readDialect } from '../../../../core/executors/shell/shell.ts';
import { expandVariables } from '../../../../core/spec/expand.ts';
import { makeTemporaryFolder } from '../../../harness/resources.ts';
import { propertyRuns } from '../../../harness/fuzzing.ts';

/** Shell text with references, and the same with plain variables in their places. */
interface Twin {
  readonly lifted: string;
  readonly plain: string;
}

const same = (text: string): Twin => ({ lifted: text, plain: text });
const joinTwins = (twins: readonly Twin[], between = ''): Twin => ({
  lifted: twins.map(({ lifted }) => lifted).join(between),
  plain: twins.map(({ plain }) => plain).join(between),
});
const around = (before: string, twin: Twin, after: string): Twin =>
  joinTwins([same(before), twin, same(after)]);

const references = fc.constantFrom<Twin>(
  { lifted: '${V.k}', plain: '${K}' },
  { lifted: '${V.list[1].x}', plain: '${X}' },
  { lifted: '$V.k/', plain: '$K/' },
  { lifted: '${load-all.stdout}', plain: '${L}' },
  { lifted: '${V.k:0:3}', plain: '${S}' },
  { lifted: '${V.none}', plain: '${NONE}' },
);
/** Lookalikes of references. */
const decoys = fc.constantFrom('${V.k}', '$V.k', '${load-all.stdout}');
const texts = (...extra: string[]) =>
  fc.constantFrom('a', 'b c', '.', '=', '/', '%s', '-n', ':', 'é', '*', '[0]', '$ ', '# ', ' #', ...extra);

const wordPieces = fc.constantFrom(
  'a',
  'b#',
  '.c',
  '=',
  '%',
  'é',
  '/*',
  '[0]',
  "\\'",
  '\\"',
  '\\`',
  '\\\\',
  '\\$',
);
const inSingleQuotes = fc
  .array(fc.oneof(decoys, texts('"', '`', '\\', '$(', '<<E', '(', '\n', '}')), { maxLength: 4 })
  .map((all) => `'${all.join('')}'`);

const maxDepth = 3;

/** One arbitrary for each depth: created at every position they would be thousands. */
function byDepth(make: (depth: number) => fc.Arbitrary<Twin>): (depth: number) => fc.Arbitrary<Twin> {
  const made = new Map<number, fc.Arbitrary<Twin>>();
  return (depth) => {
    const arbitrary = made.get(depth) ?? make(depth);
    made.set(depth, arbitrary);
    return arbitrary;
  };
}

const quoted = byDepth((depth) => {
  return fc
    .array(
      fc.oneof(
        references,
        decoys.map((decoy) => same(`\\${decoy}`)),
        texts("'", '(', ')', '<<E', '\n', '\\"', '\\`', '\\\\', '}', '{').map((text) => same(text)),
        ...(depth < maxDepth ? [nested(depth, true)] : []),
      ),
      { maxLength: 5 },
    )
    .map((all) => joinTwins(all));
});

const doubleQuotes = (depth: number): fc.Arbitrary<Twin> =>
  quoted(depth).map((twin) => around('"', twin, '"'));

/** Substitutions and defaults. */
function nested(depth: number, isQuoted: boolean): fc.Arbitrary<Twin> {
  const commandText = commands(depth + 1);
  const defaults = isQuoted
    ? fc.oneof(references, fc.constantFrom("it's", 'a b', "'${NONE}'", '"c  d"').map(same))
    : fc.oneof(references, inSingleQuotes.map(same), doubleQuotes(depth + 1));
  return fc.oneof(
    commandText.map((twin) => around('$( ', twin, '\n)')),
    commandText.map((twin) => ({ lifted: inBackticks(twin.lifted), plain: inBackticks(twin.plain) })),
    defaults.map((twin) => around('${NONE:-', twin, '}')),
    defaults.map((twin) => ({ lifted: `\${V.none:-${twin.lifted}}`, plain: `\${NONE:-${twin.plain}}` })),
    fc.constant({ lifted: '$(( (${V.n} << 2) + 1 ))', plain: '$(( (${N} << 2) + 1 ))' }),
  );
}

const inBackticks = (text: string): string => `\`${text.replaceAll(/[\\`]/g, '\\$&')}\n\``;

const word = byDepth((depth) => {
  const piece = fc.oneof(
    references,
    wordPieces.map(same),
    inSingleQuotes.map(same),
    doubleQuotes(depth),
    ...(depth < maxDepth ? [nested(depth, false)] : []),
  );
  // Never empty, and never a reserved word or an option.
  return fc.array(piece, { maxLength: 3 }).map((all) => around('w', joinTwins(all), ''));
});

const words = (depth: number): fc.Arbitrary<Twin> =>
  fc.array(word(depth), { maxLength: 3 }).map((all) => joinTwins([same("printf '[%s]'"), ...all], ' '));

function hereDocument(depth: number): fc.Arbitrary<Twin> {
  const line = quoted(depth).map(({ lifted, plain }) => ({
    // A double quote means itself here, so an escaped one is not the same text in every shell.
    lifted: lifted.replaceAll('\\"', "'"),
    plain: plain.replaceAll('\\"', "'"),
  }));
  const literal = inSingleQuotes.map((text) => same(text.slice(1, -1)));
  // Each depth has its own delimiter, since shells disagree on one inside a substitution.
  const end = `END${depth}`;
  return fc.oneof(
    line.map((body) => around(`cat <<${end}\n`, body, `\n${end}\n`)),
    line.map((body) => around(`cat <<-${end}\n\t`, body, `\n\t${end}\n`)),
    literal.map((body) => around(`cat <<'${end}'\n`, body, `\n${end}\n`)),
    fc
      .tuple(literal, line)
      .map(([first, second]) =>
        joinTwins([
          same(`cat <<\\${end}; cat <<${end}b\n`),
          first,
          same(`\n${end}\n`),
          second,
          same(`\n${end}b\n`),
        ]),
      ),
  );
}

const command = byDepth((depth) => {
  const simple = fc.oneof(
    { weight: 4, arbitrary: words(depth) },
    { weight: 1, arbitrary: inSingleQuotes.map((text) => same(`: # it's ${text.replaceAll('\n', '')} "\``)) },
    { weight: 1, arbitrary: hereDocument(depth) },
  );
  if (depth >= maxDepth) return simple;
  const inner = commands(depth + 1);
  return fc.oneof(
    { weight: 6, arbitrary: simple },
    { weight: 1, arbitrary: inner.map((twin) => around('( ', twin, '\n)')) },
    { weight: 1, arbitrary: inner.map((twin) => around('case wa in (b) ;; w*) ', twin, '\n;; esac')) },
    { weight: 1, arbitrary: inner.map((twin) => around('if true; then ', twin, '\nfi')) },
  );
});

const commands = byDepth((depth) => {
  return fc.array(command(depth), { minLength: 1, maxLength: 2 }).map((all) => joinTwins(all, '\n'));
});

const values = fc.constantFrom(
  ...[
    '',
    'plain',
    'two  words',
    '$(touch x)',
    '`touch x`',
    "'; touch x; '",
    '"; touch x; "',
    '-n',
    '%s',
    '\\n',
  ],
  ...['a\nb\n', '*', '${K}', '$K', 'Zürich 🚲', '# no', '<<END0', '}', "it's", '\\', ')', '"'],
);

interface Case {
  readonly text: Twin;
  readonly k: string;
  readonly x: string;
}

/** Writes what both texts need into a directory: the scripts and the variables. */
async function prepare(folder: string, shell: string, { text, k, x }: Case): Promise<void> {
  const V = JSON.stringify({ k, n: 5, list: [null, { x }] });
  const lookup = (name: string): string | undefined => (name === 'V' ? V : undefined);
  const stepProperty = (id: string, property: string): string | undefined =>
    id === 'load-all' ? `/logs/${property}` : undefined;
  const context: Pick<StepContext, 'env' | 'positional' | 'expand'> = {
    env: { V },
    positional: [],
    expand: async (question) => expandVariables(question, { lookup, stepProperty }).value,
  };
  const lifted = await bindVariables(context, readDialect([shell]), text.lifted);
  const S = Array.from(k).slice(0, 3).join('');
  const variables = { V, K: k, X: x, N: '5', S, L: '/logs/stdout', ...lifted.extraEnv };
  const quote = (value: string): string => `'${value.replaceAll("'", "'\\''")}'`;
  mkdirSync(join(folder, 'empty'), { recursive: true });
  writeFileSync(join(folder, 'lifted'), lifted.text);
  writeFileSync(join(folder, 'plain'), text.plain);
  writeFileSync(
    join(folder, 'env'),
    Object.entries(variables)
      .map(([name, value]) => `export ${name}=${quote(value)}\n`)
      .join(''),
  );
}

/** One process for all: starting one from here takes far longer than from a shell. */
const driver = `
for case in "$1"/*; do
  . "$case/env"
  cd "$case/empty"
  for text in lifted plain; do
    "$2" "../$text" >"../$text.out" 2>/dev/null </dev/null
    echo "status $?" >>"../$text.out"
  done
done`;

describe.each(['sh', 'bash'])('bound text for %s', (shell) => {
  it('prints the same as with plain variables, whatever they contain', { timeout: 60_000 }, async () => {
    const home = makeTemporaryFolder();
    const cases = fc.sample(fc.record({ text: commands(0), k: values, x: values }), {
      seed: 41,
      numRuns: propertyRuns(150),
    });
    const folders = cases.map((_, index) => join(home, String(index)));
    for (const [index, one] of cases.entries()) await prepare(folders[index]!, shell, one);
    execFileSync('sh', ['-c', driver, 'sh', home, shell], { stdio: 'ignore' });
    let lifted = 0;
    let succeeded = 0;
    const failures = folders.filter((folder) => {
      const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
      if (read('lifted').includes('ENGINE_VALUE')) lifted += 1;
      if (read('plain.out').endsWith('status 0\n')) succeeded += 1;
      return read('lifted.out') !== read('plain.out') || readdirSync(join(folder, 'empty')).length > 0;
    });
    expect(failures.map((folder) => cases[folders.indexOf(folder)])).toEqual([]);
    expect(lifted).toBeGreaterThan(cases.length / 2);
    expect(succeeded).toBeGreaterThan((cases.length * 2) / 3);
  });
});
