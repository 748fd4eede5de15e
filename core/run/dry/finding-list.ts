import { messageOf } from '../../base/errors.ts';
import type { DryFindingView } from '../../contract/runs/dry.ts';
import { withoutMarks } from './unknown-text.ts';

/** The subject of a finding: a workflow, one of its steps, or a field of either. */
export type FindingPlace = Pick<DryFindingView, 'plan' | 'workflow' | 'step' | 'field'>;

/** Collects findings, without duplicates at the same place. */
export class FindingList {
  readonly #findings = new Map<string, DryFindingView>();
  #place: FindingPlace = { plan: 0, workflow: '' };

  /** The place that new findings belong to. */
  get place(): FindingPlace {
    return this.#place;
  }

  /** Runs work whose findings belong to a narrower place. Calls must not overlap. */
  async at<Result>(place: Partial<FindingPlace>, work: () => Promise<Result> | Result): Promise<Result> {
    const before = this.#place;
    this.#place = { ...before, ...place };
    try {
      return await work();
    } finally {
      this.#place = before;
    }
  }

  add(severity: DryFindingView['severity'], message: string): void {
    this.addAt(this.#place, severity, message);
  }

  addAt(place: FindingPlace, severity: DryFindingView['severity'], message: string): void {
    const finding = { severity, message: withoutMarks(message), ...place };
    this.#findings.set(JSON.stringify(finding), finding);
  }

  /** Adds an error finding for something that cannot be resolved. */
  fault(thrown: unknown): void {
    this.add('error', messageOf(thrown));
  }

  /** Returns the errors, then the warnings, each in the order found. */
  list(): DryFindingView[] {
    const all = [...this.#findings.values()];
    const order = ['error', 'warning', 'info'] as const;
    return order.flatMap((severity) => all.filter((finding) => finding.severity === severity));
  }
}
