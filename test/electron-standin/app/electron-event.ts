/** What Electron hands to every listener first: an event whose default action a listener may prevent. */
export class ElectronEvent {
  #prevented = false;

  preventDefault(): void {
    this.#prevented = true;
  }

  get defaultPrevented(): boolean {
    return this.#prevented;
  }
}

/** An event that carries the named details, as Electron's newer events do. */
export function createEvent<Details extends object>(details: Details): ElectronEvent & Details {
  return Object.assign(new ElectronEvent(), details);
}
