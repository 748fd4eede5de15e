import type { EditResult, NodeRef } from '../../../../../core/edit/text-change.ts';
import { addStep, insertOnEdge } from '../../../../../core/edit/steps/add-step.ts';
import { duplicateSteps, pasteSteps } from '../../../../../core/edit/steps/paste-steps.ts';
import { convertToGraph, moveStep } from '../../../../../core/edit/steps/convert.ts';
import {
  setStepField,
  setWorkflowField,
  removeHandler,
  setHandler,
} from '../../../../../core/edit/steps/set-step-field.ts';
import { removeSteps } from '../../../../../core/edit/steps/remove-steps.ts';
import { renameStep, setId } from '../../../../../core/edit/steps/rename-step.ts';
import { connect, disconnect } from '../../../../../core/edit/steps/connect.ts';
import type { EditableText } from '../../../../../core/edit/yaml/editable-text.ts';
import { handlerNames } from '../../../../../core/model/workflow-rules.ts';
import {
  type StepFacts,
  type Item,
  type Model,
  type ModelStep,
  moveInModel,
  transitiveDependencies,
  removeFromModel,
  stepsOf,
  getDependencies,
} from './plain-model.ts';

/** A workflow, two of its steps and a number that differs for every edit. */
export interface Case {
  readonly model: Model;
  readonly a: ModelStep;
  readonly b: ModelStep;
  /** Their current names, including generated ones. */
  readonly nameOf: (step: ModelStep) => string;
  readonly number: number;
  /** Index of the document; undefined for the main workflow. */
  readonly document: number | undefined;
}

/** Whether the edit is possible; if so, the model is updated. */
export type Prediction = 'done' | 'refused';

export interface Operation {
  make(editable: EditableText, at: Case): EditResult;
  /** Changes the model. */
  predict(at: Case): Prediction;
  /** An id changes. */
  readonly isLoose?: boolean;
  /** Comments can be removed with the removed text. */
  readonly mayLose?: boolean;
}

const ref = ({ nameOf, document }: Case, step: ModelStep): NodeRef => ({
  section: 'step',
  name: nameOf(step),
  ...(document !== undefined && { document }),
});
const itemOf = ({ items }: Model, step: ModelStep): number =>
  items.findIndex(({ members }) => members.includes(step));

const makeStep = (runs: string, name: string | undefined, depends?: ModelStep[]): ModelStep => ({
  ...{ facts: {} as StepFacts, runs, name, depends },
});

const alone = (step: ModelStep): Item => ({ members: [step], isGroup: false });
const done = (change: () => void): Prediction => {
  change();
  return 'done';
};

const placing: Readonly<Record<string, Operation>> = {
  addBehind: {
    make: (editable, at) =>
      addStep(editable, {
        ...{ step: `echo new ${at.number}`, name: `brand new ${at.number}`, after: ref(at, at.a) },
      }),
    predict: ({ model, a, number }) =>
      done(() =>
        model.items.splice(itemOf(model, a) + 1, 0, alone(makeStep(`new ${number}`, `brand new ${number}`))),
      ),
  },
  addBefore: {
    make: (editable, at) =>
      addStep(editable, {
        ...{ step: { command: `echo new ${at.number}`, timeoutSec: 5 }, name: `b${at.number}` },
        ...{ before: ref(at, at.a), dependsOn: [ref(at, at.b)] },
      }),
    predict({ model, a, b, number }) {
      model.items.splice(itemOf(model, a), 0, alone(makeStep(`new ${number}`, `b${number}`, [b])));
      // In a chain the new step may come before its dependency.
      return 'done';
    },
  },
  addUnnamed: {
    make: (editable, { number, document }) => addStep(editable, { step: `echo "new ${number}"` }, document),
    predict: ({ model, number }) => done(() => model.items.push(alone(makeStep(`new ${number}`, undefined)))),
  },
  insertOnEdge: {
    make: (editable, at) =>
      insertOnEdge(editable, {
        ...{ source: ref(at, at.a), target: ref(at, at.b), step: `echo new ${at.number}` },
        name: `between ${at.number}`,
      }),
    predict({ model, a, b, number }) {
      if (!getDependencies(model).get(b)!.has(a)) return 'refused';
      const [from, to] = [itemOf(model, a), itemOf(model, b)];
      const isGraph = model.type === 'graph';
      const isApart = to !== from + 1 || model.items[from]!.isGroup || model.items[to]!.isGroup;
      if (!isGraph && isApart) return 'refused';
      const step = makeStep(`new ${number}`, `between ${number}`, isGraph ? [a] : undefined);
      model.items.splice(from + 1, 0, alone(step));
      if (isGraph) b.depends = b.depends!.map((each) => (each === a ? step : each));
      return 'done';
    },
  },
  remove: {
    make: (editable, at) => removeSteps(editable, [ref(at, at.a)]),
    predict: ({ model, a }) => done(() => removeFromModel(model, [a], false)),
    mayLose: true,
  },
  removeTwoAndReconnect: {
    make: (editable, at) => removeSteps(editable, [ref(at, at.a), ref(at, at.b)], { reconnect: true }),
    predict: ({ model, a, b }) => done(() => removeFromModel(model, [...new Set([a, b])], true)),
    mayLose: true,
  },
  moveBehind: {
    make: (editable, at) => moveStep(editable, ref(at, at.a), { after: ref(at, at.b) }),
    predict: ({ model, a, b }) => moveInModel(model, a, b, 1),
  },
  moveBefore: {
    make: (editable, at) => moveStep(editable, ref(at, at.a), { before: ref(at, at.b) }),
    predict: ({ model, a, b }) => moveInModel(model, a, b, 0),
  },
  duplicate: {
    make: (editable, at) => duplicateSteps(editable, [ref(at, at.b), ref(at, at.a)]),
    predict({ model, a, b }) {
      const originals = stepsOf(model).filter((step) => step === a || step === b);
      const copies = new Map(originals.map((step) => [step, makeCopy(step)]));
      for (const copy of copies.values())
        copy.depends = copy.depends?.map((each) => copies.get(each) ?? each);
      model.items.splice(itemOf(model, originals.at(-1)!) + 1, 0, ...[...copies.values()].map(alone));
      return 'done';
    },
  },
  paste: {
    make: (editable, at) =>
      pasteSteps(
        editable,
        `- name: first ${at.number}\n  command: echo new ${at.number}\n- name: second ${at.number}\n  command: echo new ${at.number}\n  depends: [first ${at.number}, not here]\n`,
        { after: ref(at, at.a) },
      ),
    predict({ model, a, number }) {
      const first = makeStep(`new ${number}`, `first ${number}`);
      const second = makeStep(`new ${number}`, `second ${number}`, [first]);
      model.items.splice(itemOf(model, a) + 1, 0, alone(first), alone(second));
      return 'done';
    },
  },
};

/** The copy keeps what the step is; its own name and id are new. */
const makeCopy = (step: ModelStep): ModelStep => ({ ...step, name: undefined, isCopy: true });

const dependenciesByName: Readonly<Record<string, Operation>> = {
  connect: {
    make: (editable, at) => connect(editable, ref(at, at.a), ref(at, at.b)),
    predict({ model, a, b }) {
      const isSilly =
        a === b || getDependencies(model).get(b)!.has(a) || transitiveDependencies(model, a).has(b);
      if (isSilly || model.type === 'chain') return 'refused';
      b.depends = [...(b.depends ?? []), a];
      return 'done';
    },
  },
  disconnect: {
    make: (editable, at) => disconnect(editable, ref(at, at.a), ref(at, at.b)),
    predict({ model, a, b }) {
      const isImplied = model.type === 'chain' && itemOf(model, a) === itemOf(model, b) - 1;
      if (b.depends?.includes(a) !== true || isImplied) return 'refused';
      const left = b.depends.filter((each) => each !== a);
      b.depends = left.length === 0 ? undefined : left;
      return 'done';
    },
    mayLose: true,
  },
  toGraph: {
    make: (editable, { document }) => convertToGraph(editable, document),
    predict({ model }) {
      if (model.type === 'graph') return 'refused';
      const waits = getDependencies(model);
      for (const step of waits.keys()) step.depends = [...waits.get(step)!];
      model.items = stepsOf(model).map(alone);
      model.type = 'graph';
      return 'done';
    },
  },
};

const naming: Readonly<Record<string, Operation>> = {
  rename: {
    make: (editable, at) => renameStep(editable, ref(at, at.a), `a new: name ${at.number}`),
    predict: ({ a, number }) => done(() => (a.name = `a new: name ${number}`)),
  },
  renameAsAnother: {
    make: (editable, at) => renameStep(editable, ref(at, at.a), at.nameOf(at.b)),
    predict: ({ a, b }) => (a === b ? 'done' : 'refused'),
  },
  setId: {
    make: (editable, at) => setId(editable, ref(at, at.a), `new-id${at.number}`),
    predict: ({ a, number }) => done(() => (a.facts = { ...a.facts, id: `new-id${number}` })),
    isLoose: true,
  },
  takeIdAway: {
    make: (editable, at) => setId(editable, ref(at, at.a), undefined),
    predict: ({ a }) => done(() => delete a.facts.id),
    mayLose: true,
  },
};

const fields: Readonly<Record<string, Operation>> = {
  describe: {
    make: (editable, at) =>
      setStepField(editable, ref(at, at.a), { field: ['description'], value: `new: ${at.number}` }),
    predict: ({ a, number }) => done(() => (a.facts = { ...a.facts, description: `new: ${number}` })),
  },
  undescribe: {
    make: (editable, at) =>
      setStepField(editable, ref(at, at.a), { field: ['description'], value: undefined }),
    predict: ({ a }) => done(() => delete a.facts.description),
    mayLose: true,
  },
  setNested: {
    make: (editable, at) =>
      setStepField(editable, ref(at, at.a), { field: ['continueOn', 'failure'], value: true }),
    predict: ({ a }) =>
      done(() => (a.facts = { ...a.facts, continueOn: { ...a.facts.continueOn, failure: true } })),
    mayLose: true,
  },
  setWorkflowField: {
    make: (editable, { number, document }) =>
      setWorkflowField(editable, ['timeoutSec'], 60 + number, document),
    predict: ({ model, number }) => done(() => (model.fields['timeoutSec'] = 60 + number)),
  },
  removeWorkflowField: {
    make: (editable, { document }) => setWorkflowField(editable, ['description'], undefined, document),
    predict: ({ model }) => done(() => delete model.fields['description']),
    mayLose: true,
  },
  setHandler: {
    make: (editable, { number, document }) =>
      setHandler(editable, handlerNames[number % 5]!, { command: `echo bye ${number}` }, document),
    predict: ({ model, number }) =>
      done(() => (model.handlers[handlerNames[number % 5]!] = makeStep(`bye ${number}`, undefined))),
    mayLose: true,
  },
  removeHandler: {
    make: (editable, { number, document }) => removeHandler(editable, handlerNames[number % 5]!, document),
    predict({ model, number }) {
      const kind = handlerNames[number % 5]!;
      if (model.handlers[kind] === undefined) return 'refused';
      delete model.handlers[kind];
      return 'done';
    },
    mayLose: true,
  },
};

export const operations: Readonly<Record<string, Operation>> = {
  ...placing,
  ...dependenciesByName,
  ...naming,
  ...fields,
};
