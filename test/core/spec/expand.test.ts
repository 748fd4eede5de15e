import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expandTemplate, expandVariables, type StepProperty } from '../../../core/spec/expand.ts';
import { parseTemplate } from '../../../core/spec/parse-template.ts';
import { propertyRuns } from '../../harness/fuzzing.ts';

const getScope = (variables: Record<string, string>) => ({
  lookup: (name: string) => (Object.hasOwn(variables, name) ? variables[name] : undefined),
});

/** Text composed of language elements, with anything in between. */
const pieces = fc.constantFrom(
  ...[
    '$',
    '{',
    '}',
    '${',
    '${A',
    '${A:-',
    '${A:+',
    '${J.',
    '$J',
    '.a',
    '[0]',
    '[-1]',
    ':',
    ':1:2',
    ': -1',
    '`',
    "'",
  ],
  ...['\\', '"', ' ', '\n', 'A', 'J', '1', '0', '-', '%', '}}', 'é', '🚲', '\ud800', '\0'],
);
const templates = fc
  .array(fc.oneof({ weight: 9, arbitrary: pieces }, fc.string()), { maxLength: 40 })
  .map((all) => all.join(''));
const values = fc.oneof(fc.string(), templates, fc.json());

describe('expandVariables', () => {
  it('accepts any text and any values', () => {
    fc.assert(
      fc.property(templates, values, values, (text, a, j) => {
        const { value, warnings } = expandVariables(text, getScope({ A: a, J: j }));
        expect(typeof value).toBe('string');
        expect(new Set(warnings).size).toBe(warnings.length);
      }),
      { seed: 11, numRuns: propertyRuns(3000) },
    );
  });

  it('leaves text without `$`, backticks and backslashes unchanged', () => {
    const plain = templates.map((text) => text.replaceAll(/[$`\\]/g, ''));
    fc.assert(
      fc.property(plain, (text) => {
        expect(expandVariables(text, getScope({}))).toEqual({ value: text, warnings: [] });
      }),
      { seed: 12, numRuns: propertyRuns(1000) },
    );
  });

  it('leaves single-quoted text unchanged', () => {
    const quoted = templates.map((text) => `'${text.replaceAll("'", '')}'`);
    fc.assert(
      fc.property(quoted, quoted, (first, second) => {
        const text = `a ${first} $A ${second}`;
        expect(expandVariables(text, getScope({ A: 'x' })).value).toBe(`a ${first} x ${second}`);
      }),
      { seed: 16, numRuns: propertyRuns(1000) },
    );
  });

  it('inserts a value unchanged, whatever it contains', () => {
    fc.assert(
      fc.property(values, values, (a, b) => {
        expect(expandVariables('<${A}|$B>', getScope({ A: a, B: b })).value).toBe(`<${a}|${b}>`);
      }),
      { seed: 13, numRuns: propertyRuns(1000) },
    );
  });

  it('returns any value of a JSON string by its path', () => {
    const entry = fc.dictionary(fc.stringMatching(/^[A-Za-z_][\w-]{0,5}$/), fc.string(), { minKeys: 1 });
    fc.assert(
      fc.property(entry, (object) => {
        for (const [key, value] of Object.entries(object)) {
          const text = `\${J[0].list.[1].${key}}`;
          const json = JSON.stringify([{ list: [null, object] }]);
          expect(expandVariables(text, getScope({ J: json }))).toEqual({ value, warnings: [] });
        }
      }),
      { seed: 14, numRuns: propertyRuns(500) },
    );
  });

  it('leaves commands unchanged', () => {
    const { value } = expandVariables('$A `echo $A` ${B:-`date`}', getScope({ A: 'x' }));
    expect(value).toBe('x `echo $A` `date`');
  });
});

describe('expandTemplate', () => {
  it('runs commands one after the other, from left to right, and only required ones', async () => {
    const commands: string[] = [];
    const { value } = await expandTemplate('`one` ${A:-`two`} ${B:-`three`} `fo\\`u\\`r`', {
      ...getScope({ A: 'a' }),
      runCommand: async (command) => {
        commands.push(command);
        return ` ${commands.length}\n`;
      },
    });
    expect(commands).toEqual(['one', 'three', 'fo`u`r']);
    expect(value).toBe('1 a 2 3');
  });

  it('does not expand output of commands or values of variables', async () => {
    const scope = { ...getScope({ A: '`rm` $B', B: 'b' }), runCommand: async () => '$B ${B} `again`' };
    expect((await expandTemplate('$A `x`', scope)).value).toBe('`rm` $B $B ${B} `again`');
  });

  it('fails as the command fails', async () => {
    const scope = { ...getScope({}), runCommand: () => Promise.reject(new Error('exit code 1')) };
    await expect(expandTemplate('a `false` b', scope)).rejects.toThrow('exit code 1');
  });

  it('agrees with the expansion without commands where there are none', async () => {
    await fc.assert(
      fc.asyncProperty(templates, values, async (text, a) => {
        const scope = getScope({ A: a, J: '{"a":[1]}' });
        expect(await expandTemplate(text, scope)).toEqual(expandVariables(text, scope));
      }),
      { seed: 15, numRuns: propertyRuns(500) },
    );
  });
});

describe('path', () => {
  it('continues into a string within the JSON that is JSON itself', () => {
    const scope = getScope({ R: JSON.stringify({ outputs: { K: '{"a":7}' } }) });
    expect(expandVariables('${R.outputs.K.a}', scope)).toEqual({ value: '7', warnings: [] });
  });
});

describe('warnings', () => {
  it('name the reference and the missing part, once', () => {
    const { value, warnings } = expandVariables('${J.a.b}${J.a.b}', getScope({ J: '{"a":{}}' }));
    expect(value).toBe('');
    expect(warnings).toEqual(['${J.a.b} is empty: the JSON in J has no .b.']);
  });

  it('do not treat inherited properties as keys', () => {
    const { warnings } = expandVariables('${J.constructor}${J.__proto__}', getScope({ J: '{}' }));
    expect(warnings).toHaveLength(2);
  });
});

describe('step properties', () => {
  const scope = {
    ...getScope({ load: '{"stdout":"hidden","rows":7}', other: '{"stdout":"json"}' }),
    stepProperty: (id: string, property: StepProperty) =>
      ({
        load: { stdout: '/logs/load.out', stderr: '/logs/load.err', exitCode: '3' },
        'load-all': { stdout: '/logs/all.out', stderr: '/logs/all.err', exitCode: '' },
      })[id]?.[property],
  };

  it.each([
    ['${load.stdout} ${load.stderr}', '/logs/load.out /logs/load.err'],
    ['${load.exitCode}${load.exit_code}', '33'],
    ['${load.stdout:0:5}|${load.stdout: -3}', '/logs|out'],
    ['${load-all.stdout}', '/logs/all.out'],
    ['${load-all.stdout:-none}', '/logs/all.out'],
    ['[${load-all.exitCode}] ${load-all.exitCode:-none}', '[] none'],
    ['${load.exitCode:+ran}${load-all.exitCode:+ran}', 'ran'],
    ['$load.stdout $load.exitCode.', '/logs/load.out 3.'],
    ['$load.stdout.bak', '/logs/load.out.bak'],
    ['${load.rows}', '7'],
    ['${other.stdout}', 'json'],
    ['${none.stdout} ${no-ne.stdout} ${load-all.rows}', '${none.stdout} ${no-ne.stdout} ${load-all.rows}'],
    ['${none.exitCode:-none} ${no-ne.exitCode:-none}', 'none none'],
    ['${load-all} ${load-x}', '${load-all} ${load-x}'],
    ["'${load.stdout}'", "'${load.stdout}'"],
  ])('%s becomes %s', (text, value) => {
    expect(expandVariables(text, scope)).toEqual({ value, warnings: [] });
  });

  it('have no parts of their own', () => {
    const { value } = expandVariables('${load.stdout.dir} ${load-all.stdout[0]}', scope);
    expect(value).toBe('${load.stdout.dir} ${load-all.stdout[0]}');
  });
});

describe('long text', () => {
  const count = 50_000;
  it.each([
    ['unclosed braces', '${A:-'.repeat(count)],
    ['unclosed braces, then a closed one', `${'${A'.repeat(count)}}`],
    ['deep defaults', `${'${A:-'.repeat(count)}x${'}'.repeat(count)}`],
    ['quotes', "'".repeat(count)],
    ['apostrophes', "a'".repeat(count)],
    ['backticks', '`'.repeat(count)],
    ['escaped backticks after an open one', `\`${'\\`'.repeat(count)}`],
    ['quotes in defaults', "${A:-'}".repeat(count)],
    ['backslashes', '\\'.repeat(count)],
    ['a long path', `$J${'.a'.repeat(count)} \${J${'.a'.repeat(count)}}`],
    ['many lookups in one JSON string', '${J.a} '.repeat(count)],
    ['dollars', '$'.repeat(count)],
    ['names with hyphens', '${a-'.repeat(count)],
    ['a long name with hyphens', `\${a${'-a'.repeat(count)}}`],
  ])('is parsed in one pass: %s', (_, text) => {
    const json = JSON.stringify({
      a: 'x'.repeat(10),
      b: Array.from({ length: 50_000 }, (__, index) => index),
    });
    expect(expandVariables(text, getScope({ J: json })).value.length).toBeLessThanOrEqual(text.length * 100);
  });

  it('is parsed in one pass, whatever it is composed of', () => {
    const [text = ''] = fc.sample(
      fc.array(pieces, { minLength: 50_000, maxLength: 50_000 }).map((all) => all.join('')),
      { seed: 17, numRuns: 1 },
    );
    const { value } = expandVariables(text, getScope({ A: 'x', J: '{"a":[1,2]}' }));
    expect(value.length).toBeGreaterThan(0);
  });

  it('nested deeper than the stack allows stays as written', () => {
    const json = `{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
    expect(expandVariables('${J.a}', getScope({ J: json })).value).toBe('${J.a}');
  });
});

describe('expansion limits', () => {
  const large = 'x'.repeat(1024 * 1024);

  it('are 16,777,216 characters for one text', () => {
    expect(expandVariables('${A}'.repeat(16), getScope({ A: large })).value).toHaveLength(16 * 1024 * 1024);
    expect(() => expandVariables('${A}'.repeat(16) + '.', getScope({ A: large }))).toThrow(
      'The value has more than 16777216 characters after variable expansion. Put the data into a file and use the file name.',
    );
  });

  it('apply to defaults inside of references, too', () => {
    expect(() => expandVariables(`\${B:-${'${A}'.repeat(17)}}`, getScope({ A: large }))).toThrow('16777216');
  });

  it('slices count characters, not UTF-16 units', () => {
    const { value } = expandVariables(
      '${A:1:2}|${A: -2}|${A:3}|${A:0:-3}|${A: -5}|${A:9}',
      getScope({ A: 'a🚲b\ud800' }),
    );
    expect(value).toBe('🚲b|b\ud800|\ud800|a||');
  });
});

describe('parseTemplate', () => {
  it('joins literal text and names every part', () => {
    expect(parseTemplate("a 'b' \\$c $D-${E.f[0]:1:2} `g`${H#i}")).toEqual([
      { kind: 'literal', text: "a 'b' $c " },
      { kind: 'reference', name: 'D', path: [], braced: false, source: '$D' },
      { kind: 'literal', text: '-' },
      {
        kind: 'reference',
        name: 'E',
        path: [
          { key: 'f', source: '.f' },
          { key: 0, source: '[0]' },
        ],
        braced: true,
        modifier: { kind: 'slice', offset: 1, length: 2 },
        source: '${E.f[0]:1:2}',
      },
      { kind: 'literal', text: ' ' },
      { kind: 'command', command: 'g', source: '`g`' },
      { kind: 'unsupported', source: '${H#i}' },
    ]);
  });
});
