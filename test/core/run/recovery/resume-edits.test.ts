import { writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TestEngine, type RunView } from '../../../harness/engine.ts';
import { propertyRuns } from '../../../harness/fuzzing.ts';
import { attemptsOf, retry } from '../run-harness.ts';

interface Model {
  readonly values: Record<string, string>;
  readonly steps: { name: string; word: string; value: string; depends: string[] }[];
}

const stepCount = 20;
const failing = 12;

/** Each step prints its word, a variable and the outputs of its dependencies. One step fails until it is mended. */
const original = (): Model => ({
  values: { A: 'a', B: '${A}b', P: 'p' },
  steps: Array.from({ length: stepCount }, (_, index) => ({
    name: `s${index}`,
    word: `w${index}`,
    value: ['A', 'B', 'P'][index % 3]!,
    depends: [index - 1, index - 3].filter((at) => at >= 0 && index % 4 !== 0).map((at) => `s${at}`),
  })),
});

function toText({ values, steps }: Model, isBroken: boolean): string {
  const lines = steps.map(({ name, word, value, depends }) => {
    const inputs = depends.map((dependency) => `$O_${dependency}`).join(' ');
    const fail = isBroken && name === `s${failing}` ? '; exit 1' : '';
    return (
      `  - { name: ${name}, depends: [${depends.join(', ')}], output: O_${name}, ` +
      `command: 'echo "${word} $${value} ${inputs}" | cksum${fail}' }`
    );
  });
  const { P, ...env } = values;
  const variables = Object.entries(env).map(([name, value]) => `  - ${name}: "${value}"`);
  return `type: graph\nparams: "P=${P}"\nenv:\n${variables.join('\n')}\nsteps:\n${lines.join('\n')}\n`;
}

const edit = fc.record({
  kind: fc.constantFrom('word', 'value', 'variable', 'connect', 'disconnect', 'remove', 'add', 'rename'),
  at: fc.nat(stepCount - 1),
  other: fc.nat(stepCount - 1),
});
type Edit = typeof edit extends fc.Arbitrary<infer Value> ? Value : never;

function apply({ values, steps }: Model, { kind, at, other }: Edit, number: number): void {
  const step = steps[at % steps.length]!;
  const name = `n${number}`;
  const earlier = steps.slice(0, steps.indexOf(step));
  switch (kind) {
    case 'word':
      step.word += 'x';
      break;
    case 'value':
      step.value = ['A', 'B', 'P'][other % 3]!;
      break;
    case 'variable':
      values[['A', 'B', 'P'][other % 3]!] += 'y';
      break;
    case 'connect': {
      const target = earlier[other % Math.max(1, earlier.length)];
      if (target !== undefined && !step.depends.includes(target.name)) step.depends.push(target.name);
      break;
    }
    case 'disconnect':
      step.depends.pop();
      break;
    case 'remove':
      steps.splice(steps.indexOf(step), 1);
      for (const { depends } of steps)
        if (depends.includes(step.name)) depends.splice(depends.indexOf(step.name), 1);
      break;
    case 'add':
      steps.splice(at % steps.length, 0, { name, word: name, value: 'A', depends: [] });
      break;
    case 'rename':
      for (const { depends } of steps)
        if (depends.includes(step.name)) depends[depends.indexOf(step.name)] = name;
      step.name = name;
      break;
  }
}

/** Each takes about a second: two in `npm test`, thirty in the long suite. */
const numRuns = propertyRuns(2) > 2 ? 30 : 2;

const outputsOf = ({ status, outputs, steps }: RunView) => ({
  status,
  outputs,
  steps: steps.map((step) => [step.name, step.status, step.output?.value]),
});

test('a run that is resumed with a randomly edited file has the outputs of a full run', async () => {
  const engine = new TestEngine();
  const file = path.join(engine.home, 'dags', 'edited.yaml');
  const start = async (): Promise<RunView> =>
    engine.end(await engine.host.startRun({ source: { file }, trigger: 'cli' }));
  let reused = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 4 }), async (edits) => {
      const model = original();
      writeFileSync(file, toText(model, true));
      const failed = await start();
      expect(failed.status).toBe('failed');
      for (const [number, each] of edits.entries()) apply(model, each, number);
      writeFileSync(file, toText(model, false));
      const resumed = await retry(engine, failed, { spec: 'file', acceptRemoved: true });
      expect(outputsOf(resumed)).toEqual(outputsOf(await start()));
      reused += Object.entries(attemptsOf(resumed)).filter(
        ([name, count]) => count === 1 && attemptsOf(failed)[name] === 1,
      ).length;
    }),
    { seed: 3407, numRuns },
  );
  expect(reused).toBeGreaterThan(0);
}, 300_000);
