/** Up to when each conversation has been seen in a browser. */
export interface Seen {
  /** From when on this browser takes notice; what is older counts as seen. */
  since: string;
  /** The latest activity that was seen, by conversation. */
  until: Readonly<Record<string, string>>;
}

/** As many conversations as anybody looks at in turn. */
const most = 300;

export function isUnseen({ since, until }: Seen, id: string, activity: string): boolean {
  const last = until[id];
  return isLater(activity, since) && (last === undefined || isLater(activity, last));
}

export function see(seen: Seen, id: string, activity: string): Seen {
  return merge(seen, { since: seen.since, until: { [id]: activity } });
}

/**
 * What either has seen: two tabs write to the same place. It does not grow for ever: beyond the
 * newest few hundred, everything that is as old as those that go counts as seen.
 */
export function merge(one: Seen, other: Seen): Seen {
  const until = new Map(Object.entries(one.until));
  for (const [id, activity] of Object.entries(other.until)) {
    const known = until.get(id);
    if (known === undefined || isLater(activity, known)) until.set(id, activity);
  }
  const newestFirst = [...until].sort(([, a], [, b]) => Date.parse(b) - Date.parse(a));
  const since = [one.since, other.since, newestFirst[most]?.[1]].reduce(latest) as string;
  return {
    since,
    until: Object.fromEntries(newestFirst.filter(([, activity]) => isLater(activity, since))),
  };
}

function latest(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return isLater(other, one) ? other : one;
}

function isLater(one: string, than: string): boolean {
  return Date.parse(one) > Date.parse(than);
}
