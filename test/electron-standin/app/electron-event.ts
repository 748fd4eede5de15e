/** The first argument of every listener: an event whose default action can be prevented. */
export class ElectronEvent {
  #prevented = false;

  preventDefault(): void {
    this.#prevented = true;
  }

  get defaultPrevented(): boolean {
    return this.#prevented;
  }
}

/** An event with the given details, as in Electron's newer events. */
export function createEvent<Details extends object>(details: Details): ElectronEvent & Details {
  return Object.assign(new ElectronEvent(), details);
}
