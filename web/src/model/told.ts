/** The counts of a report that have something to say, in the order of the names they are given. */
export function told<K extends string>(
  counts: Readonly<Record<K, number>>,
  names: Readonly<Record<K, readonly [one: string, many: string]>>,
): { amount: number; name: string }[] {
  return (Object.keys(names) as K[])
    .filter((key) => counts[key] > 0)
    .map((key) => ({ amount: counts[key], name: names[key][counts[key] === 1 ? 0 : 1] }));
}
