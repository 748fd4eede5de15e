import { messageOf } from '../../base/errors.ts';
import type { DryFindingView } from '../../contract/runs/dry.ts';
import { withoutMarks } from './unknown-text.ts';

/** What a finding is about: a workflow, a step of it, a field of either. */
export type FindingPlace = Pick<DryFindingView, 'plan' | 'workflow' | 'step' | 'field'>;

/** Collects what is to be known before a run; the same thing at the same place once. */
export class FindingList {
  readonly #findings = new Map<string, DryFindingView>();
  #place: FindingPlace = { plan: 0, workflow: '' };

  /** The place that whatever is found now belongs to. */
  get place(): FindingPlace {
    return this.#place;
  }

  /** Does something whose findings belong to a narrower place. Never at the same time as something else. */
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

  /** Notes why something cannot be had, as an error. */
  fault(thrown: unknown): void {
    this.add('error', messageOf(thrown));
  }

  /** Errors first, then warnings, each in the order found. */
  list(): DryFindingView[] {
    const all = [...this.#findings.values()];
    const order = ['error', 'warning', 'info'] as const;
    return order.flatMap((severity) => all.filter((finding) => finding.severity === severity));
  }
}
