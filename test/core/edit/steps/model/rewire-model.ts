import type { Prediction } from './operations.ts';
import { stepsOf, waitsOf, type Model, type ModelStep } from './plain-model.ts';

/** Takes steps out; what waited for them waits for less, or for what they waited for. */
export function removeFromModel(model: Model, gone: readonly ModelStep[], reconnect: boolean): void {
  const waits = waitsOf(model);
  const before = new Map(stepsOf(model).map((step) => [step, behind(waits, step, gone)]));
  const isFirst = (step: ModelStep): boolean =>
    !model.items
      .slice(
        0,
        model.items.findIndex(({ members }) => members.includes(step)),
      )
      .some(({ members }) => members.some((each) => !gone.includes(each)));
  for (const step of stepsOf(model)) {
    if (gone.includes(step) || !gone.some((each) => waits.get(step)!.has(each))) continue;
    const left = (step.depends ?? []).filter((each) => !gone.includes(each));
    const added = reconnect ? [...before.get(step)!].filter((each) => !left.includes(each)) : [];
    const isCut = model.type === 'chain' && before.get(step)!.size === 0 && !isFirst(step);
    step.depends = isCut ? [] : left.length + added.length === 0 ? undefined : [...left, ...added];
  }
  for (const item of model.items) item.members = item.members.filter((step) => !gone.includes(step));
  model.items = model.items.filter(({ members }) => members.length > 0);
}

/** What a step waits for when each that goes gives way to those it waited for. */
function behind(
  waits: ReadonlyMap<ModelStep, ReadonlySet<ModelStep>>,
  step: ModelStep,
  gone: readonly ModelStep[],
): Set<ModelStep> {
  const seen = new Set(waits.get(step));
  for (const each of seen) if (gone.includes(each)) for (const next of waits.get(each)!) seen.add(next);
  return new Set([...seen].filter((each) => !gone.includes(each)));
}

/** @param offset 1 for behind the neighbour, 0 for before it */
export function moveInModel(model: Model, step: ModelStep, neighbour: ModelStep, offset: 0 | 1): Prediction {
  if (step === neighbour) return 'done';
  for (const item of model.items) item.members = item.members.filter((each) => each !== step);
  const place = model.items.findIndex(({ members }) => members.includes(neighbour));
  const { members, isGroup } = model.items[place]!;
  if (isGroup) members.splice(members.indexOf(neighbour) + offset, 0, step);
  else model.items.splice(place + offset, 0, { members: [step], isGroup: false });
  model.items = model.items.filter((item) => item.members.length > 0);
  return hasCycle(model) ? 'refused' : 'done';
}

export function hasCycle(model: Model): boolean {
  const waits = waitsOf(model);
  const ended = new Set<ModelStep>();
  for (let size = -1; size !== ended.size;) {
    size = ended.size;
    for (const [step, before] of waits) if ([...before].every((each) => ended.has(each))) ended.add(step);
  }
  return ended.size < waits.size;
}
