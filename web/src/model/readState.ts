/** What the user has read, per conversation, in this browser. */
export interface ReadState {
  /** Older activity counts as read. */
  since: string;
  /** The latest activity that was read, by conversation id. */
  until: Readonly<Record<string, string>>;
}

const MAX_CONVERSATIONS = 300;

export function isUnread({ since, until }: ReadState, id: string, activity: string): boolean {
  const last = until[id];
  return isLater(activity, since) && (last === undefined || isLater(activity, last));
}

export function markRead(state: ReadState, id: string, activity: string): ReadState {
  return mergeReadState(state, { since: state.since, until: { [id]: activity } });
}

/**
 * Merges the states of two tabs. Only the newest conversations are stored; everything older counts
 * as read.
 */
export function mergeReadState(a: ReadState, b: ReadState): ReadState {
  const until = new Map(Object.entries(a.until));
  for (const [id, activity] of Object.entries(b.until)) {
    const known = until.get(id);
    if (known === undefined || isLater(activity, known)) until.set(id, activity);
  }
  const newestFirst = [...until].sort(([, x], [, y]) => Date.parse(y) - Date.parse(x));
  const since = [a.since, b.since, newestFirst[MAX_CONVERSATIONS]?.[1]].reduce(latest) as string;
  return {
    since,
    until: Object.fromEntries(newestFirst.filter(([, activity]) => isLater(activity, since))),
  };
}

function latest(a: string | undefined, b: string | undefined): string | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return isLater(b, a) ? b : a;
}

function isLater(a: string, b: string): boolean {
  return Date.parse(a) > Date.parse(b);
}
