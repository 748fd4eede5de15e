import { toWorkflowName, findSizeProblem, writeWorkflow, type ImportResult } from './imported-workflow.ts';
import { expandMake } from './expand-make.ts';
import { parseMakefile, type Makefile, type MakeRule } from './parse-makefile.ts';

export interface MakefileImport {
  readonly text: string;
  /** Target to import. Default: make's default goal. */
  readonly target?: string;
}

/** Lists the targets that can be imported, with the comment above each. */
export function listTargets(text: string): { readonly target: string; readonly comment?: string }[] {
  return [...parseMakefile(text).rules.values()].map(({ target, comment }) =>
    comment === undefined ? { target } : { target, comment },
  );
}

/**
 * Imports a target of a makefile: one step for each rule with a recipe that the target needs, with the dependencies of
 * the file. Variables set with `?=` become parameters, other simple ones `env`. Targets that are up to date are not
 * skipped.
 */
export function importMakefile({ text, target: requestedTarget }: MakefileImport): ImportResult {
  const problem = findSizeProblem(text);
  if (problem !== undefined) return { ok: false, reason: problem };
  const makefile = parseMakefile(text);
  const target = requestedTarget ?? makefile.goal;
  const goal = target === undefined ? undefined : makefile.rules.get(target);
  if (goal === undefined) {
    const known = [...makefile.rules.keys()];
    const reason =
      known.length === 0
        ? 'No rules found. A rule is "target: prerequisites", followed by lines that start with a tab.'
        : `No rule for "${target}". Valid targets: ${known.slice(0, 10).join(', ')}.`;
    return { ok: false, reason };
  }
  const rules = collectRules(goal, makefile.rules);
  if (!rules.some(hasRecipe)) return { ok: false, reason: `Target "${goal.target}" has no recipe.` };
  const { shown, env, params } = chooseVariables(makefile);
  const order = new Map(rules.map((rule, index) => [rule.target, index]));
  const steps: Record<string, string | string[]>[] = [];
  for (const rule of rules.filter(hasRecipe)) {
    const script = writeRecipe(rule, makefile, shown);
    if ('problem' in script)
      return { ok: false, reason: `The recipe of "${rule.target}" (line ${rule.line}) ${script.problem}` };
    if ('unknown' in script) {
      const reason = `The recipe of "${rule.target}" (line ${rule.line}) uses the make function "${script.unknown}". Import another target, or run "make ${rule.target}" in a step.`;
      return { ok: false, reason };
    }
    steps.push({
      name: rule.target,
      ...(rule.comment === undefined ? {} : { description: rule.comment }),
      depends: findPrerequisites(rule, makefile.rules, order),
      ...(script.text.includes('\n') ? { script: `${script.text}\n` } : { command: script.text }),
    });
  }
  const draft = {
    description: goal.comment,
    type: 'graph',
    maxActiveSteps: 1,
    params,
    env,
    steps: steps.map(withoutEmptyDepends),
  };
  const notes = [
    ...makefile.notes,
    'All steps run every time; make would skip up-to-date targets.',
    'Steps run one at a time, as in make. Remove "maxActiveSteps" for "make -j".',
  ];
  return {
    ok: true,
    workflows: [{ name: toWorkflowName(goal.target), text: writeWorkflow(draft), notes }],
    notes: [],
  };
}

const hasRecipe = ({ recipe }: MakeRule): boolean => recipe.length > 0;

const withoutEmptyDepends = ({ depends, ...rest }: Record<string, string | string[]>) => {
  if (depends === undefined || depends.length === 0) return rest;
  const { name, description, ...work } = rest;
  return { name: name!, ...(description === undefined ? {} : { description }), depends, ...work };
};

/** Collects the rules that a target needs, followed by the target itself. */
function collectRules(goal: MakeRule, rules: Makefile['rules']): MakeRule[] {
  const order: MakeRule[] = [];
  const seen = new Set([goal.target]);
  const open = [{ rule: goal, needs: getPrerequisites(goal) }];
  for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
    const name = last.needs.next();
    if (name.done === true) {
      order.push(last.rule);
      open.pop();
      continue;
    }
    const rule = rules.get(name.value);
    if (rule === undefined || seen.has(rule.target)) continue;
    seen.add(rule.target);
    open.push({ rule, needs: getPrerequisites(rule) });
  }
  return order;
}

const getPrerequisites = ({ prerequisites, orderOnly }: MakeRule): IterableIterator<string> =>
  [...prerequisites, ...orderOnly].values();

/** Finds the nearest prerequisite rules with recipes; `order` breaks a cycle where make does. */
function findPrerequisites(
  rule: MakeRule,
  rules: Makefile['rules'],
  order: ReadonlyMap<string, number>,
): string[] {
  const getOrder = ({ target }: MakeRule): number => order.get(target) ?? -1;
  const needs = new Set<string>();
  const seen = new Set([rule.target]);
  const open = [...getPrerequisites(rule)].toReversed();
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const next = rules.get(name);
    if (next === undefined || seen.has(name)) continue;
    seen.add(name);
    if (!hasRecipe(next)) open.push(...[...getPrerequisites(next)].toReversed());
    else if (getOrder(next) < getOrder(rule)) needs.add(name);
  }
  return [...needs];
}

const plain = /^[^$`"'\\#]*$/;

/** Selects the variables that stay variables, because their text means the same to the shell. */
function chooseVariables({ variables }: Makefile) {
  const shown = new Set<string>();
  const env: Record<string, string> = {};
  const params: Record<string, string>[] = [];
  for (const [name, { value, isDefault }] of variables) {
    if (!/^[A-Za-z_]\w*$/.test(name) || !plain.test(value)) continue;
    shown.add(name);
    if (isDefault) params.push({ [name]: value });
    else env[name] = value;
  }
  return {
    shown,
    env: Object.keys(env).length > 0 ? env : undefined,
    params: params.length > 0 ? params : undefined,
  };
}

/**
 * Converts a recipe. In make, each line has its own shell, so a line that changes the directory or a variable is put
 * in a subshell.
 */
function writeRecipe(rule: MakeRule, { variables }: Makefile, shown: ReadonlySet<string>) {
  const lines: string[] = [];
  for (const line of rule.recipe) {
    const [, prefixes = '', command = ''] = /^\s*([-@+\s]*)(.*)$/s.exec(line)!;
    if (command.trim() === '' || command.startsWith('#')) continue;
    const expanded = expandMake(command, rule, variables, shown);
    if (!('text' in expanded)) return expanded;
    const isAlone =
      rule.recipe.length === 1 ||
      !/(?:^|[;&|]\s*)(?:cd|export|set|umask)\s|^\w+=\S*\s*(?:;|$)/.test(expanded.text);
    const grouped = isAlone ? expanded.text : `(${expanded.text})`;
    lines.push(prefixes.includes('-') ? `{ ${grouped}\n} || true` : grouped);
  }
  return { text: lines.join('\n') };
}
