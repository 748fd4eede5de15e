import { writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TestEngine, type RunView } from '../../../harness/engine.ts';
import { propertyRuns } from '../../../harness/fuzzing.ts';
import { attemptsOf, retry } from '../run-harness.ts';

interface ModelStep {
  name: string;
  word: number;
  /** The variable or parameter that the command names. */
  value: string;
  /** The value of `OWN` in the `env` of the step. */
  own: number;
  depends: string[];
}

interface Model {
  /** In file order; `B` and the parameter `Q` refer to others. */
  env: [name: string, value: string][];
  readonly params: Record<string, string>;
  readonly steps: ModelStep[];
  /** Steps that fail, until they are mended one after the other. */
  readonly broken: ModelStep[];
  /** Names that steps had. */
  readonly former: string[];
  /** Number of new names so far. */
  added: number;
}

const stepCount = 20;
const values = ['A', 'B', 'C', 'P', 'Q'] as const;

/** A workflow whose steps combine their number, a variable and the outputs of their dependencies. */
function original(breaks: readonly number[]): Model {
  const steps = Array.from({ length: stepCount }, (_, index) => ({
    name: `s${index}`,
    word: index + 1,
    value: values[index % values.length]!,
    own: index,
    depends: [index - 1, index - 3].filter((at) => at >= 0 && index % 4 !== 0).map((at) => `s${at}`),
  }));
  return {
    env: [
      ['A', '2'],
      ['B', '${A}1'],
      ['C', '3'],
    ],
    params: { P: '5', Q: '${C}7' },
    steps,
    broken: breaks.map((at) => steps[at]!),
    former: [],
    added: 0,
  };
}

/** Only built-ins of the shell, which cost least. */
function toText({ env, params, steps, broken }: Model): string {
  const lines = steps.map((step) => {
    const { name, word, value, own, depends } = step;
    const inputs = depends.map((dependency, index) => ` + O_${dependency} * ${13 + index * 4}`).join('');
    const fail = broken.includes(step) ? '; exit 1' : '';
    return (
      `  - { name: ${name}, depends: [${depends.join(', ')}], output: O_${name}, env: { OWN: ${own} }, ` +
      `command: 'echo $(( (${word} * 31 + $${value} * 7 + $OWN * 5${inputs}) % 99991 ))${fail}' }`
    );
  });
  const toList = (entries: readonly [string, string][]): string =>
    entries.map(([name, value]) => `  - ${name}: "${value}"\n`).join('');
  return `type: graph\nparams:\n${toList(Object.entries(params))}env:\n${toList(env)}steps:\n${lines.join('\n')}\n`;
}

const kinds = [
  'command',
  'reference',
  'own value',
  'variable',
  'parameter',
  'order of variables',
  'connect',
  'disconnect',
  'remove',
  'add',
  'rename',
] as const;

const edit = fc.record({
  kind: fc.constantFrom(...kinds),
  at: fc.nat(stepCount - 1),
  other: fc.nat(stepCount - 1),
});
type Edit = typeof edit extends fc.Arbitrary<infer Value> ? Value : never;

function apply(model: Model, { kind, at, other }: Edit): void {
  const { steps, params, former } = model;
  const step = steps[at % steps.length]!;
  const dependents = steps.filter(({ depends }) => depends.includes(step.name));
  switch (kind) {
    case 'command':
      step.word += 100;
      break;
    case 'reference':
      step.value = values[other % values.length]!;
      break;
    case 'own value':
      step.own += 100;
      break;
    case 'variable': {
      const entry = model.env[other % model.env.length]!;
      entry[1] += '4';
      break;
    }
    case 'parameter':
      params[other % 2 === 0 ? 'P' : 'Q'] += '6';
      break;
    case 'order of variables':
      model.env = [...model.env.slice(1), model.env[0]!];
      break;
    case 'connect': {
      const target = steps[other % Math.max(1, steps.indexOf(step))]!;
      if (target !== step && !step.depends.includes(target.name)) step.depends.push(target.name);
      break;
    }
    case 'disconnect':
      step.depends.pop();
      break;
    case 'remove':
      if (model.broken.includes(step)) break;
      steps.splice(steps.indexOf(step), 1);
      former.push(step.name);
      for (const { depends } of dependents) depends.splice(depends.indexOf(step.name), 1);
      break;
    case 'add':
      steps.splice(at % steps.length, 0, {
        name: newName(model, other),
        word: 40 + at,
        value: 'A',
        own: other,
        depends: [],
      });
      break;
    case 'rename': {
      const name = newName(model, other);
      for (const { depends } of dependents) depends[depends.indexOf(step.name)] = name;
      former.push(step.name);
      step.name = name;
      break;
    }
  }
}

/** A name that an earlier step had, or a new one. */
const newName = (model: Model, choice: number): string =>
  (choice % 2 === 0 ? model.former.shift() : undefined) ?? `n${(model.added += 1)}`;

const outputsOf = ({ status, outputs, steps }: RunView) => ({
  status,
  outputs,
  steps: steps.map((step) => [step.name, step.status, step.output?.value]),
});

const edits = fc.array(edit, { minLength: 1, maxLength: 4 });
/** One or two failures with edits after each. */
const history = fc.uniqueArray(fc.tuple(fc.nat(12), edits), {
  minLength: 1,
  maxLength: 2,
  selector: ([at]) => at,
});

const isLong = propertyRuns(6) > 6;

/** Two groups of six in `npm test`, each with its seed; five of forty in the long suite. */
describe.each(isLong ? [1, 2, 3, 4, 5] : [1, 2])('edits of a failed run, group %i', (group) => {
  test('the resumed run has the outputs of a full run', async () => {
    const engine = new TestEngine();
    const file = path.join(engine.home, 'dags', 'edited.yaml');
    const start = async (): Promise<RunView> =>
      engine.end(await engine.host.startRun({ source: { file }, trigger: 'cli' }));
    let reused = 0;
    await fc.assert(
      fc.asyncProperty(history, async (rounds) => {
        const model = original(rounds.map(([at]) => at));
        writeFileSync(file, toText(model));
        let run = await start();
        for (const [, changes] of rounds) {
          expect(run.status).toBe(model.broken.length > 0 ? 'failed' : 'succeeded');
          model.broken.shift();
          for (const each of changes) apply(model, each);
          writeFileSync(file, toText(model));
          const before = attemptsOf(run);
          run = await retry(engine, run, { spec: 'file', acceptRemoved: true });
          reused += Object.entries(attemptsOf(run)).filter(([name, count]) => before[name] === count).length;
        }
        expect(outputsOf(run)).toEqual(outputsOf(await start()));
      }),
      { seed: 3407 + group, numRuns: isLong ? 40 : 6 },
    );
    expect(reused).toBeGreaterThan(0);
  }, 300_000);
});
