/**
 * Ids of deleted items whose deletion can still be undone and is not sent yet. It lives outside the
 * components, so the items stay hidden when the user navigates away and back.
 */
export class PendingDeletions {
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
