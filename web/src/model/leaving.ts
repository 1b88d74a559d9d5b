/**
 * What has been taken off the page, and may still be brought back. It outlives the component that
 * shows it: whoever goes elsewhere and returns before the deletion is sent must not see it again.
 */
export class Leaving {
  #ids: ReadonlySet<string> = new Set();
  readonly #listeners = new Set<() => void>();

  getIds = (): ReadonlySet<string> => this.#ids;

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  add(id: string): void {
    this.#set(new Set([...this.#ids, id]));
  }

  delete(id: string): void {
    this.#set(new Set([...this.#ids].filter((other) => other !== id)));
  }

  #set(ids: ReadonlySet<string>): void {
    this.#ids = ids;
    this.#listeners.forEach((listener) => listener());
  }
}
